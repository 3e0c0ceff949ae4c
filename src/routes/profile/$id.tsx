// /profile/{id}: a person and what they posted.
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  Link,
  notFound,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import * as v from 'valibot'
import { PostList } from '#src/features/posts/post-list.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { BlockedNote, MutedNote } from '#src/features/profiles/blocked-note.tsx'
import { Gone } from '#src/features/profiles/gone.tsx'
import { PlansSection } from '#src/features/profiles/plans-section.tsx'
import { ProfileHead } from '#src/features/profiles/profile-head.tsx'
import { ProfileSkeleton } from '#src/features/profiles/profile-skeleton.tsx'
import { postTabs, type PostTab, typeOf } from '#src/features/profiles/post-tabs.ts'
import { ProfileTabs } from '#src/features/profiles/profile-tabs.tsx'
import { postsOf, profileQuery } from '#src/features/profiles/profiles.ts'
import { OlderNote } from '#src/features/shell/older-note.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/load-failure.tsx'
import { isMissing } from '#src/lib/api.ts'
import { useMember } from '#src/lib/session.ts'
import { text } from '#src/lib/text.ts'
import { peopleText } from '#src/lib/text-people.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Opening } from '#src/ui/later.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

export const Route = createFileRoute('/profile/$id')({
  // Whoever is not signed in never needs what reading posts needs.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'default', title: text.nav.profile },
  validateSearch: v.object({ type: v.optional(v.fallback(v.picklist(postTabs), 'all')) }),
  loaderDeps: ({ search }) => ({ tab: search.type ?? 'all' }),
  loader: async ({ context: { queryClient }, params, deps }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(profileQuery(params.id)),
        queryClient.ensureInfiniteQueryData(postsOf(params.id, typeOf[deps.tab])),
      ])
    } catch (error) {
      if (isMissing(error)) throw notFound()
      throw error
    }
  },
  pendingComponent: Pending,
  errorComponent: Failed,
  component: () => (
    <Opening meanwhile={<Pending />}>
      <Profile />
    </Opening>
  ),
})

function Profile() {
  const { id } = Route.useParams()
  const { type = 'all' } = Route.useSearch()
  const reading = useSuspenseQuery(profileQuery(id))
  const person = reading.data
  const navigate = useNavigate()
  if (person.relation?.blocked)
    return (
      <>
        <ProfileHead id={id} />
        <BlockedNote person={person} />
      </>
    )
  return (
    <>
      <OlderNote reading={reading} />
      <ProfileHead id={id} />
      {person.relation?.muted && <MutedNote person={person} />}
      <PlansSection id={id} />
      <ProfileTabs
        tab={type}
        onChange={(next) =>
          void navigate({
            to: '/profile/$id',
            params: { id },
            search: next === 'all' ? {} : { type: next },
            replace: true,
            resetScroll: false,
          })
        }
      >
        {(tab) => <Posts id={id} tab={tab} />}
      </ProfileTabs>
    </>
  )
}

function Posts({ id, tab }: { id: string; tab: PostTab }) {
  const mine = useMember()?.id === id
  const feed = useInfiniteQuery(postsOf(id, typeOf[tab]))
  return (
    <PostList
      feed={feed}
      name={`profile:${id}:${tab}`}
      label={peopleText.posts}
      onAuthorPage
      failed={loadFailed}
      empty={
        <EmptyState
          drawing="frame"
          title={tab === 'all' ? text.posts.noneByThem : peopleText.noneOfType}
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
  // It was shown a moment ago and is not there any more: a block, a deletion.
  if (isMissing(error)) return <Gone />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
