// The plans a post can be limited to. The editor works without a network; they follow when they can.
import type { QueryClient } from '@tanstack/react-query'
import { listOwnPlans } from '#contract/plans.ts'
import { queryFor } from '#src/lib/query.ts'

export function loadPlans({ context }: { context: { queryClient: QueryClient } }): void {
  void context.queryClient.prefetchQuery(queryFor(listOwnPlans, {}))
}
