// /creator/members?q&plan: the members of the person's own plans.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { membersQuery, queryOf } from '#src/features/creator/creator.ts'
import { MemberList, MembersSkeleton } from '#src/features/creator/member-list.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/creator/members')({
  codeSplitGroupings: [['loader', 'component', 'errorComponent'], ['pendingComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'メンバー' },
  validateSearch: v.object({
    q: v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(100))), undefined)),
    plan: searchId,
  }),
  loader: ({ context: { queryClient }, location }) => {
    // The list shows its own states, so that a search leaves the field where it is.
    queryClient.ensureInfiniteQueryData(membersQuery(location.search)).catch(() => undefined)
  },
  pendingComponent: MembersSkeleton,
  errorComponent: Failed,
  component: Members,
})

function Members() {
  const filter = Route.useSearch()
  const navigate = useNavigate()
  return (
    <MemberList
      filter={filter}
      onFilter={(next) =>
        void navigate({ to: '/creator/members', search: queryOf(next), replace: true, resetScroll: false })
      }
      failed={loadFailed}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
