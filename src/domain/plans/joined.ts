// The plans that the person has joined, as several features read them.
import { listJoinedPlans } from '#contract/plans/members.ts'
import { pagesFor } from '#src/domain/queries/query.ts'

export const joinedPlansQuery = pagesFor(listJoinedPlans, {})
