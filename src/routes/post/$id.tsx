// /post/{id}: one post.
import { createFileRoute, notFound, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { PostPage } from '#src/features/posts/post-page.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { postQuery } from '#src/features/posts/posts.ts'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/lib/api.ts'
import { text } from '#src/lib/text.ts'

export const Route = createFileRoute('/post/$id')({
  // Whoever is not signed in never needs what reading posts needs.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: text.nav.publish },
  loader: async ({ context, params }) => {
    try {
      await context.queryClient.ensureQueryData(postQuery(params.id))
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  pendingComponent: () => <PostSkeleton />,
  errorComponent: Failed,
  component: Post,
})

function Post() {
  const { id } = Route.useParams()
  return <PostPage id={id} />
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
