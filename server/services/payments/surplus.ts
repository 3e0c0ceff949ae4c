// Records charges, and those that pay for nothing, which are owed back.
import { newId } from '#contract/ids.ts'
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { saleLines, surplusLines } from '#server/rules/money/ledger.ts'
import type { Db } from '#server/store/database.ts'
import { addChargeOnce } from '#server/store/payments/charges.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { showUnsettled } from '#server/store/payments/unsettled.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { bookEntry } from './book.ts'
import { publishPayment } from './live.ts'
import type { PaymentUnit } from './ports.ts'
import { announceSurplus } from './purchase-messages.ts'

export interface Charge {
  readonly provider: string
  /** The provider's number. */
  readonly chargeRef: string
  /** Whole yen. */
  readonly amount: number
  /** SHA-256 of the list that staff have uploaded, from which it comes. */
  readonly fileDigest?: string | undefined
}

/**
 * Records a charge of a payment.
 * @param surplus why it pays for nothing; null for one that pays
 * @returns the id of its row
 * @throws when another transaction recorded it at the same time
 */
export async function recordCharge(
  tx: Db,
  { id: paymentId }: Pick<PaymentRow, 'id'>,
  { provider, chargeRef, amount, fileDigest }: Charge,
  { surplus, now }: { readonly surplus: SurplusReason | null; readonly now: number },
): Promise<string> {
  const id = newId()
  const kind = { isSurplus: surplus !== null, surplusReason: surplus }
  const row = {
    fileDigest: fileDigest ?? null,
    id,
    provider,
    chargeRef,
    amount,
    paymentId,
    ...kind,
    chargedAt: new Date(now),
  }
  if (!(await addChargeOnce(tx, row)))
    throw new Error('the number of a charge was recorded by another transaction at the same time')
  if (fileDigest !== undefined) await showUnsettled(tx, row, now)
  return id
}

/** Books a charge that paid. @param chargeId id of its row */
export async function addSale(
  unit: Pick<PaymentUnit, 'tx' | 'publish'>,
  payment: PaymentRow,
  chargeId: string,
  now: number,
): Promise<void> {
  const { creatorId } = payment
  await bookEntry(unit, { cause: 'sale', chargeId, creatorId, lines: saleLines(payment) }, now)
}

/** Records a charge that pays for nothing, and tells its buyer: the platform owes it until the provider has returned it. */
export async function recordSurplus(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: Charge,
  { reason, now }: { readonly reason: SurplusReason; readonly now: number },
): Promise<void> {
  const { tx, enqueue } = unit
  const { provider, chargeRef, amount } = charge
  const chargeId = await recordCharge(tx, payment, charge, { surplus: reason, now })
  const lines = surplusLines(amount)
  await bookEntry(unit, { cause: 'surplus', chargeId, creatorId: null, lines }, now)
  await addTask(
    tx,
    { kind: 'refund_surplus', paymentId: payment.id, details: { provider, chargeRef, amount } },
    now,
  )
  await enqueue('payment.refund', { chargeId })
  publishPayment(unit, payment)
  await announceSurplus(unit, { ...payment, amount }, { reason, now })
}
