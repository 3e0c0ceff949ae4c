// /payment?post and /payment?plan: the final confirmation before a post is bought or a plan joined.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  Link,
  notFound,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import * as v from 'valibot'
import { operatorQuery, planOrderQuery } from '#src/features/payments/payments.ts'
import { UnknownPlanOrder } from '#src/features/payments/plan-closed.tsx'
import { PlanOrder } from '#src/features/payments/plan-order.tsx'
import { PostOrder } from '#src/features/payments/post-order.tsx'
import { PostNotFound } from '#src/features/posts/post-not-found.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { postQuery } from '#src/features/posts/posts.ts'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { searchId } from '#src/lib/search-text.ts'

export const Route = createFileRoute('/payment/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '申込みの確認' },
  validateSearch: v.object({
    post: searchId,
    plan: searchId,
    /** The post whose gate led to the plan. */
    from: searchId,
  }),
  loaderDeps: ({ search: { post, plan } }) => ({ post, plan }),
  loader: async ({ context: { queryClient }, deps: { post, plan } }) => {
    if (post === undefined && plan === undefined) throw notFound()
    void queryClient.prefetchQuery(operatorQuery)
    // The price is read again, whatever a list has shown.
    if (plan !== undefined) await queryClient.fetchQuery({ ...planOrderQuery(plan), staleTime: 0 })
    else if (post !== undefined) await queryClient.fetchQuery(postQuery(post))
  },
  pendingComponent: () => <PostSkeleton />,
  errorComponent: Failed,
  component: Order,
})

function Order() {
  const { post, plan } = Route.useSearch()
  if (plan !== undefined) return <OrderOfPlan planId={plan} />
  return post === undefined ? null : <OrderOfPost postId={post} />
}

function OrderOfPost({ postId }: { postId: string }) {
  const { data: post } = useSuspenseQuery(postQuery(postId))
  const navigate = useNavigate()
  return (
    <PostOrder
      post={post}
      onBought={() => void navigate({ to: '/post/$id', params: { id: postId }, replace: true })}
    />
  )
}

function OrderOfPlan({ planId }: { planId: string }) {
  const { from } = Route.useSearch()
  const me = useMember()
  const navigate = useNavigate()
  const reading = useQuery(planOrderQuery(planId))
  if (isMissing(reading.error)) return <UnknownPlan />
  if (!reading.data || !me) return <PostSkeleton />
  return (
    <PlanOrder
      order={reading.data}
      viewerId={me.id}
      from={from}
      onChanged={() => void navigate({ to: '/plan', search: { tab: 'joined' }, replace: true })}
    />
  )
}

function UnknownPlan() {
  return (
    <UnknownPlanOrder
      action={
        <Link to="/" replace className={buttonClass('quiet')}>
          {text.home}
        </Link>
      }
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  const { plan } = Route.useSearch()
  if (isMissing(error)) return plan === undefined ? <PostNotFound /> : <UnknownPlan />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
