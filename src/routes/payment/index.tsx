// /payment?post: the final confirmation before a post is bought.
import { useSuspenseQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  notFound,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import { operatorQuery, PostOrder } from '#src/features/payments/post-order.tsx'
import { PostNotFound } from '#src/features/posts/post-not-found.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { postQuery } from '#src/features/posts/posts.ts'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'

export const Route = createFileRoute('/payment/')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: '購入の確認' },
  validateSearch: v.object({ post: v.optional(v.fallback(v.optional(id), undefined)) }),
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient }, deps: { post } }) => {
    if (post === undefined) throw notFound()
    void queryClient.prefetchQuery(operatorQuery)
    // The price is read again, whatever a list has shown.
    await queryClient.fetchQuery(postQuery(post))
    return { post }
  },
  pendingComponent: () => <PostSkeleton />,
  errorComponent: Failed,
  component: Order,
})

function Order() {
  const { post: postId } = Route.useLoaderData()
  const { data: post } = useSuspenseQuery(postQuery(postId))
  const navigate = useNavigate()
  return (
    <PostOrder
      post={post}
      onBought={() => void navigate({ to: '/post/$id', params: { id: postId }, replace: true })}
    />
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  if (isMissing(error)) return <PostNotFound />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
