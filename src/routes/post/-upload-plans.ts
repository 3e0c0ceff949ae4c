// Loads the plans for the editor, which also works without them.
import { listOwnPlans } from '#contract/plans/plans.ts'
import type { Queries } from '#src/domain/queries/lazy-query-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export function loadPlans({ context }: { context: { queryClient: Queries } }): void {
  void context.queryClient.prefetchQuery(queryFor(listOwnPlans, {}))
}
