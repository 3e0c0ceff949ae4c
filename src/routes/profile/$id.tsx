// /profile/{id}: a person and what they posted.
import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, Link, notFound, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { PostList } from '#src/features/posts/post-list.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { postsBy } from '#src/features/posts/posts.ts'
import { ProfileHead } from '#src/features/profiles/profile-head.tsx'
import { ProfileSkeleton } from '#src/features/profiles/profile-skeleton.tsx'
import { profileQuery } from '#src/features/profiles/profiles.ts'
import { LoadFailure } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/lib/api.ts'
import { useMember } from '#src/lib/session.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { text } from '#src/lib/text.ts'

export const Route = createFileRoute('/profile/$id')({
  // Whoever is not signed in never needs what reading posts needs.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'default', title: text.nav.profile },
  loader: async ({ context: { queryClient }, params }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(profileQuery(params.id)),
        queryClient.ensureInfiniteQueryData(postsBy(params.id)),
      ])
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  pendingComponent: Pending,
  errorComponent: Failed,
  component: Profile,
})

function Profile() {
  const { id } = Route.useParams()
  const mine = useMember()?.id === id
  const feed = useInfiniteQuery(postsBy(id))
  return (
    <>
      <ProfileHead id={id} />
      <PostList
        feed={feed}
        name={`profile:${id}`}
        label={text.profile.posts}
        onAuthorPage
        empty={
          <EmptyState
            drawing="frame"
            title={text.posts.noneByThem}
            {...(mine && {
              text: text.posts.emptyText,
              act: (
                <Link to="/post/upload2" className={buttonClass('seal')}>
                  {text.posts.write}
                </Link>
              ),
            })}
          />
        }
      />
    </>
  )
}

function Pending() {
  return (
    <>
      <ProfileSkeleton />
      <PostSkeleton />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
