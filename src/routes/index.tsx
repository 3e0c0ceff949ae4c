// /: the newest posts the viewer may know of.
import { createFileRoute, Link, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { feedQuery } from '#src/features/posts/posts.ts'
import { PostList } from '#src/features/posts/post-list.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { text } from '#src/lib/text.ts'

export const Route = createFileRoute('/')({
  // Whoever is not signed in never needs what reading posts needs.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'default', title: text.nav.home },
  loader: ({ context }) => context.queryClient.ensureInfiniteQueryData(feedQuery()),
  pendingComponent: () => <PostSkeleton count={3} />,
  errorComponent: Failed,
  component: Home,
})

function Home() {
  return (
    <>
      <h1 className="sr-only">{text.nav.home}</h1>
      <PostList
        empty={
          <EmptyState
            drawing="letter"
            title={text.posts.emptyTitle}
            text={text.posts.emptyText}
            act={
              <Link to="/post/upload2" className={buttonClass('seal')}>
                {text.posts.write}
              </Link>
            }
          />
        }
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
