// The queries of the person's data export, and of the deletion of the account.
import { getDeletion } from '#contract/accounts/leaving.ts'
import { getExport } from '#contract/accounts/export.ts'
import type { MembershipNote } from '#contract/memberships/memberships.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { leavingText } from './text.ts'

/** Poll interval while the zip is made, ms. */
const POLL_INTERVAL = 4000

export const exportQuery = {
  ...queryFor(getExport, {}),
  refetchInterval: (query: { state: { data?: { export: { is: string } } | undefined } }) =>
    query.state.data?.export.is === 'waiting' ? POLL_INTERVAL : false,
}

/** Whether the account waits for its deletion, and the memberships that the deletion stops or has stopped. */
export const deletionQuery = queryFor(getDeletion, {})

const { plan: planName } = leavingText.money
export const nameOfPlan = ({ creator, plan }: MembershipNote): string => planName(creator, plan)
/** Names of several plans in a sentence. */
export const namesOfPlans = (plans: readonly MembershipNote[]): string => plans.map(nameOfPlan).join('、')
