// The amounts that charges of a membership can have.
import type { Db } from '#server/store/database.ts'
import type { MembershipRow } from '#server/store/memberships/memberships.ts'
import { amountsOfMonths, type PaymentRow } from '#server/store/payments/payments.ts'

/**
 * The amounts that a true charge of this recurring charge can have, whole yen: the price before and after a change that the
 * member confirmed, what was last sent to the provider, and those of earlier months, whose notices may be late.
 */
export async function planAmountsOf(
  tx: Db,
  payment: PaymentRow,
  membership: MembershipRow | undefined,
  { recurringRef, amount }: { readonly recurringRef: string; readonly amount: number },
): Promise<number[]> {
  if (!membership) return [payment.amount]
  // The price may have been another one when the card that was replaced was charged.
  if (membership.recurringRef !== recurringRef)
    return [payment.amount, ...confirmedBy(membership), ...(await amountsOfMonths(tx, membership.id))]
  const amounts = [...confirmedBy(membership), membership.chargedAmount].filter((it) => it > 0)
  if (amounts.includes(amount)) return amounts
  return [...amounts, ...(await amountsOfMonths(tx, membership.id))]
}

/** The prices that a member has confirmed for the next charge. */
const confirmedBy = ({ price, nextPrice }: MembershipRow): number[] =>
  nextPrice === null ? [price] : [price, nextPrice]

/**
 * Whether the member has confirmed this amount for a month that is charged now; not so that of a change that was taken
 * back before the provider knew, nor an earlier price.
 */
export const isConfirmed = (membership: MembershipRow, amount: number): boolean =>
  confirmedBy(membership).includes(amount)
