// The creator's own plans, as several features read them.
import { useQuery } from '@tanstack/react-query'
import { listOwnPlans } from '#contract/plans/plans.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export const ownPlansQuery = queryFor(listOwnPlans, {})

/** Whether the person has a plan that has not ended. @param mayHave false for people who cannot have any, which are not read */
export function useHasPlans(mayHave: boolean): boolean {
  const { data } = useQuery({ ...ownPlansQuery, enabled: mayHave })
  return data?.plans.some((it) => it.state !== 'ended') ?? false
}
