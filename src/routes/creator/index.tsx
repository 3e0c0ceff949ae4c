// /creator?days&post: the numbers of the person's own posts, or of one of them.
import { createFileRoute, useNavigate, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import * as v from 'valibot'
import { analyticsQuery, postAnalyticsQuery } from '#src/features/creator/creator.ts'
import { CreatorPage } from '#src/features/creator/creator-page.tsx'
import { CreatorSkeleton } from '#src/features/creator/creator-skeleton.tsx'
import { PostNumbersPage, UnknownPostNumbers } from '#src/features/creator/post-numbers.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { searchId } from '#src/lib/search-text.ts'

// Written here, since the contract's file would become a part of the first route.
const days = v.picklist([7, 28, 90])
const USUAL_DAYS = 28

export const Route = createFileRoute('/creator/')({
  codeSplitGroupings: [['loader', 'component', 'errorComponent'], ['pendingComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'クリエイターページ' },
  validateSearch: v.object({
    days: v.optional(v.fallback(v.optional(days), undefined)),
    post: searchId,
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps }) => {
    const { post, days: period = USUAL_DAYS } = deps
    if (post === undefined) await queryClient.fetchQuery(analyticsQuery(period))
    else await queryClient.fetchQuery(postAnalyticsQuery(post, period))
  },
  pendingComponent: CreatorSkeleton,
  errorComponent: Failed,
  component: Creator,
})

function Creator() {
  const { post, days: period = USUAL_DAYS } = Route.useSearch()
  const navigate = useNavigate()
  const onPeriod = (next: typeof period) =>
    void navigate({
      to: '/creator',
      search: { days: next, ...(post !== undefined && { post }) },
      replace: true,
      resetScroll: false,
    })
  if (post !== undefined)
    return <PostNumbersPage key={post} postId={post} period={period} onPeriod={onPeriod} />
  return <CreatorPage period={period} onPeriod={onPeriod} />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <UnknownPostNumbers />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
