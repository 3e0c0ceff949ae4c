// What the provider has and the app has not, which the operator examines.
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import { type ChargeRow, findChargeByRef } from '#server/store/payments/charges.ts'
import { closeDifferences } from '#server/store/payments/compared-tasks.ts'
import { addTaskOnce } from '#server/store/payments/operator-tasks.ts'
import { findPayment, type PaymentRow } from '#server/store/payments/payments.ts'

/**
 * `unknown_payment`: no payment has the id. `amount`: another amount than the payment's, or than was recorded.
 * `refunded_there`: the provider has returned the money, and the payment is open. `disputed_there`: the card company examines
 * the charge, and the payment is open. `missing_there`: the provider's list lacks a recorded charge. `recurring_unknown`: a
 * recurring charge runs that belongs to no membership, and is stopped. `recurring_amount`: it has another amount than was
 * last set at the provider.
 */
export type Difference =
  | 'unknown_payment'
  | 'amount'
  | 'refunded_there'
  | 'disputed_there'
  | 'missing_there'
  | 'recurring_unknown'
  | 'recurring_amount'

interface About {
  readonly provider: string
  readonly chargeRef: string
  readonly paymentId: string | null
  /** Whole yen. */
  readonly amount: number
}

/** Makes a task of a difference, once for each charge, reason and amount. */
export async function report(
  { clock }: Pick<PaymentPorts, 'clock'>,
  { tx }: Pick<PaymentUnit, 'tx'>,
  why: Difference,
  { paymentId, ...about }: About,
): Promise<Difference> {
  await addTaskOnce(tx, { kind: 'difference', paymentId, details: { ...about, why } }, clock())
  return why
}

/** Whether the card company has the whole money of a payment, or had it. */
const isDisputedHere = (payment: PaymentRow): boolean =>
  payment.state === 'disputed' || payment.state === 'refunded'

/** Whether what the provider has returned of a charge is refunded here too. @param refunded whole yen in total, or `part` */
export function isReturnedHere(
  { isSurplus, chargeRef }: ChargeRow,
  payment: PaymentRow | undefined,
  refunded: number | 'part',
): boolean {
  if (isSurplus || payment?.chargeRef !== chargeRef || isDisputedHere(payment)) return true
  return refunded === 'part' ? payment.refundedAmount > 0 : refunded <= payment.refundedAmount
}

/** Whether a dispute about a charge needs nothing more here. */
export const isExaminedHere = ({ isSurplus, chargeRef }: ChargeRow, payment: PaymentRow | undefined) =>
  !isSurplus && payment?.chargeRef === chargeRef && isDisputedHere(payment)

/** Differences of a listed charge, in the order in which it is compared: what comes before the one that was found is right. */
const inOrder = ['missing_there', 'unknown_payment', 'amount', 'refunded_there'] as const

/**
 * Closes the tasks about a listed charge whose cause is gone.
 * @param found the difference that there is now; undefined for none
 */
export async function closeFoundRight(
  { clock }: Pick<PaymentPorts, 'clock'>,
  { tx }: Pick<PaymentUnit, 'tx'>,
  { provider, chargeRef }: Pick<About, 'provider' | 'chargeRef'>,
  found: Difference | undefined,
): Promise<void> {
  const known = await findChargeByRef(tx, provider, chargeRef)
  // A listed charge that is not recorded is right only in being listed.
  const end = inOrder.findIndex((it) => it === (known ? found : (found ?? 'unknown_payment')))
  const payment = known && (await findPayment(tx, known.paymentId))
  const right = [
    ...(end === -1 ? inOrder : inOrder.slice(0, end)),
    ...(known && isExaminedHere(known, payment) ? ['disputed_there'] : []),
  ]
  await closeDifferences(tx, { provider, ref: chargeRef }, right, clock())
}
