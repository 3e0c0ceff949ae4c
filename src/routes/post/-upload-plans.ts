// The plans a post can be limited to. The editor works without a network; they follow when they can.
import { listOwnPlans } from '#contract/posts/plans.ts'
import type { Queries } from '#src/domain/queries/lazy-query-cache.ts'
import { queryFor } from '#src/domain/queries/query.ts'

export function loadPlans({ context }: { context: { queryClient: Queries } }): void {
  void context.queryClient.prefetchQuery(queryFor(listOwnPlans, {}))
}
