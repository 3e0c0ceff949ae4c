// /payment?post, ?plan and ?card: the final confirmation of a purchase, of joining, of another card.
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
import { CardOrder, closedCardOrder } from '#src/features/payments/card-order.tsx'
import { membershipCardQuery, operatorQuery, planOrderQuery } from '#src/features/payments/payments.ts'
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
    /** The membership whose card is changed. */
    card: searchId,
    /** The post whose gate led to the plan. */
    from: searchId,
  }),
  loaderDeps: ({ search: { post, plan, card } }) => ({ post, plan, card }),
  loader: async ({ context: { queryClient }, deps: { post, plan, card } }) => {
    if (post === undefined && plan === undefined && card === undefined) throw notFound()
    void queryClient.prefetchQuery(operatorQuery)
    // The price is read again, whatever a list has shown.
    if (card !== undefined) await queryClient.fetchQuery({ ...membershipCardQuery(card), staleTime: 0 })
    else if (plan !== undefined) await queryClient.fetchQuery({ ...planOrderQuery(plan), staleTime: 0 })
    else if (post !== undefined) await queryClient.fetchQuery(postQuery(post))
  },
  pendingComponent: () => <PostSkeleton />,
  errorComponent: Failed,
  component: Order,
})

function Order() {
  const { post, plan, card } = Route.useSearch()
  if (card !== undefined) return <OrderOfCard membershipId={card} />
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

function OrderOfCard({ membershipId }: { membershipId: string }) {
  const navigate = useNavigate()
  const reading = useQuery(membershipCardQuery(membershipId))
  const closed = closedCardOrder(reading.error)
  if (closed) return closed
  if (!reading.data) return <PostSkeleton />
  return (
    <CardOrder
      membershipId={membershipId}
      card={reading.data}
      onDone={() => void navigate({ to: '/plan', search: { tab: 'joined' }, replace: true })}
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
  const { plan, card } = Route.useSearch()
  const closed = card === undefined ? undefined : closedCardOrder(error)
  if (closed) return closed
  if (isMissing(error)) return plan === undefined ? <PostNotFound /> : <UnknownPlan />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
