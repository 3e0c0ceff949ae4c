// Compares the provider's list of charges with the recorded ones, and mends lost notices.
import type { ListedCharge } from '#server/adapters/payments/provider.ts'
import { findChargeByGid, listChargesBefore } from '#server/store/payments/charges.ts'
import { addTaskOnce } from '#server/store/payments/operator-tasks.ts'
import { lockPayment } from '#server/store/payments/payments.ts'
import { applyCharge } from './charge.ts'
import type { PaymentPorts, PaymentUnit } from './ports.ts'

/** A charge that was recorded this long ago must be in the provider's list, ms. */
const LISTED_AFTER_MS = 24 * 3600_000

/** What a comparison did. */
export interface Reconciliation {
  /** Charges of the list. */
  readonly listed: number
  /** Those whose notice was lost, which were applied now. */
  readonly applied: number
  /** Differences that the operator has to examine; each is added as a task once. */
  readonly differences: number
}

/**
 * `unknown_payment`: no payment has the id. `amount`: another amount than the payment's, or than was recorded.
 * `refunded_there`: the provider has returned the money, and the payment is open. `missing_there`: the provider's list lacks
 * a recorded charge.
 */
type Difference = 'unknown_payment' | 'amount' | 'refunded_there' | 'missing_there'

/**
 * Compares the provider's charges with the recorded ones. A charge without a notice is applied as its notice would be; every
 * other difference becomes a task. Repeated, it changes nothing.
 * @returns undefined for a provider without a list
 */
export async function reconcile(ports: PaymentPorts): Promise<Reconciliation | undefined> {
  const { paymentProvider: provider, transaction, db, clock } = ports
  const list = await provider?.list()
  if (!provider || list?.is !== 'list') return undefined
  let [applied, differences] = [0, 0]
  for (const charge of list.charges) {
    const outcome = await transaction((unit) => compare(ports, unit, provider.name, charge))
    if (outcome === 'applied') applied++
    else if (outcome !== 'same') differences++
  }
  const listed = new Set(list.charges.map((it) => it.gid))
  const recorded = await listChargesBefore(db, provider.name, clock() - LISTED_AFTER_MS)
  for (const { gid, paymentId, amount } of recorded.filter((it) => !listed.has(it.gid))) {
    await transaction((unit) => report(ports, unit, 'missing_there', { gid, paymentId, amount }))
    differences++
  }
  return { listed: list.charges.length, applied, differences }
}

async function compare(
  ports: PaymentPorts,
  unit: PaymentUnit,
  provider: string,
  { gid, paymentId, amount, isRefunded }: ListedCharge,
): Promise<'same' | 'applied' | Difference> {
  const about = { gid, paymentId, amount }
  const payment = await lockPayment(unit.tx, paymentId)
  if (!payment) return report(ports, unit, 'unknown_payment', { ...about, paymentId: null })
  const known = await findChargeByGid(unit.tx, provider, gid)
  if (amount !== (known?.amount ?? payment.amount)) return report(ports, unit, 'amount', about)
  if (known) {
    const isReturned = known.isSurplus || payment.state === 'refunded' || payment.chargeGid !== gid
    return isRefunded && !isReturned ? report(ports, unit, 'refunded_there', about) : 'same'
  }
  // Money that the provider has returned already pays for nothing.
  if (isRefunded) return report(ports, unit, 'refunded_there', about)
  const at = { now: ports.clock(), publicUrl: ports.settings.publicUrl }
  await applyCharge(unit, payment, { provider, gid, amount }, at)
  return 'applied'
}

async function report(
  { clock }: PaymentPorts,
  { tx }: PaymentUnit,
  why: Difference,
  { gid, paymentId, amount }: { gid: string; paymentId: string | null; amount: number },
): Promise<Difference> {
  await addTaskOnce(tx, { kind: 'difference', paymentId, details: { gid, amount, why } }, clock())
  return why
}
