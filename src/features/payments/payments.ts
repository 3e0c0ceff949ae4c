// Queries of final confirmations.
import { getMembershipCard } from '#contract/memberships/card.ts'
import { getPlanOrder } from '#contract/memberships/memberships.ts'
import { getOperator } from '#contract/operator.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const operatorQuery = queryFor(getOperator, {})
export const planOrderQuery = (planId: string) => queryFor(getPlanOrder, { params: { plan_id: planId } })
export const membershipCardQuery = (membershipId: string) =>
  queryFor(getMembershipCard, { params: { membership_id: membershipId } })
