// /plan?tab&id: the own plans, one of them, and the joined ones.
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  Link,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import * as v from 'valibot'
import { JoinedPlans } from '#src/features/plans/joined-plans.tsx'
import { OwnPlanPage } from '#src/features/plans/own-plan.tsx'
import { OwnPlans } from '#src/features/plans/own-plans.tsx'
import { ownPlansQuery, planPostsQuery } from '#src/features/plans/plans.ts'
import { PlansSkeleton } from '#src/features/plans/plans-skeleton.tsx'
import { planText } from '#src/features/plans/text.ts'
import { PostList } from '#src/features/posts/post-list.tsx'
import { SellerNotice } from '#src/features/sellers/seller-notice.tsx'
import { ownSellerQuery } from '#src/features/sellers/sellers.ts'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { joinedPlansQuery } from '#src/domain/plans/joined.ts'
import { searchId, searchText } from '#src/lib/search-text.ts'
import { useMember } from '#src/domain/session/session.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { Tabs } from '#src/ui/tabs.tsx'

const tabs = ['own', 'joined'] as const

export const Route = createFileRoute('/plan/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'プラン' },
  validateSearch: v.object({
    tab: searchText,
    /** One of the own plans. */
    id: searchId,
  }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.fetchQuery(ownPlansQuery),
      queryClient.ensureInfiniteQueryData(joinedPlansQuery),
      queryClient.prefetchQuery(ownSellerQuery),
    ])
  },
  pendingComponent: PlansSkeleton,
  errorComponent: Failed,
  component: Plans,
})

function Plans() {
  const { id: planId, tab: given } = Route.useSearch()
  const tab = tabs.find((it) => it === given) ?? 'own'
  const navigate = useNavigate()
  if (planId !== undefined)
    return <OwnPlanPage id={planId} posts={<PlanPosts planId={planId} />} failed={loadFailed} />
  const panels = {
    own: (
      <>
        <SellerNotice />
        <OwnPlans />
      </>
    ),
    joined: <JoinedPlans />,
  }
  return (
    <Tabs
      label={planText.title}
      value={tab}
      onChange={(next) => void navigate({ to: '/plan', search: { tab: next }, replace: true })}
      tabs={tabs.map((it) => ({ value: it, label: planText.tabs[it], panel: panels[it] }))}
    />
  )
}

function PlanPosts({ planId }: { planId: string }) {
  const me = useMember()
  const feed = useInfiniteQuery({ ...planPostsQuery(me?.id ?? '', planId), enabled: me !== undefined })
  return (
    <PostList
      feed={feed}
      name={`plan:${planId}`}
      label={planText.detail.posts}
      onAuthorPage
      failed={loadFailed}
      empty={
        <EmptyState
          drawing="frame"
          title={planText.detail.noPosts}
          text={planText.detail.noPostsText}
          action={
            <Link to="/post/upload2" className={buttonClass('quiet')}>
              {planText.detail.write}
            </Link>
          }
        />
      }
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
