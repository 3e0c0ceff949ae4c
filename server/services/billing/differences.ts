// What the provider has and the app has not, which the operator examines.
import type { PaymentPorts, PaymentUnit } from '#server/services/payments/ports.ts'
import type { ChargeRow } from '#server/store/payments/charges.ts'
import { addTaskOnce } from '#server/store/payments/operator-tasks.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'

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
