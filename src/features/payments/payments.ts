// Queries of final confirmations.
import { getMembershipCard } from '#contract/memberships/card.ts'
import { getAllowance } from '#contract/payments/allowance.ts'
import { getPlanOrder } from '#contract/memberships/memberships.ts'
import { getOperator } from '#contract/operator.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const operatorQuery = queryFor(getOperator, {})
export const planOrderQuery = (planId: string) => queryFor(getPlanOrder, { params: { plan_id: planId } })
export const membershipCardQuery = (membershipId: string) =>
  queryFor(getMembershipCard, { params: { membership_id: membershipId } })

/** What is paid now: a price in whole yen, for a post, or for a month of a plan. */
export type Due = { readonly price: number } & (
  | { readonly postId: string }
  /** `cardOf`: the membership whose card the payment changes. */
  | { readonly planId: string; readonly cardOf?: string }
)

export const allowanceQuery = (due: Due) => {
  const item =
    'postId' in due
      ? { post_id: due.postId }
      : { plan_id: due.planId, ...(due.cardOf !== undefined && { card_of: due.cardOf }) }
  return queryFor(getAllowance, { query: { price: String(due.price), ...item } })
}
