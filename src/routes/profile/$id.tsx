// /profile/{id}: a person and what they posted.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  createFileRoute,
  Link,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import type { ProfileView } from '#contract/people/people.ts'
import type { PostView } from '#contract/posts/posts.ts'
import { PostList } from '#src/features/posts/post-list.tsx'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { BlockedNote, MutedNote } from '#src/features/profiles/blocked-note.tsx'
import { ProfileNotFound } from '#src/features/profiles/profile-not-found.tsx'
import { PlansSection } from '#src/features/profiles/plans-section.tsx'
import { ListedHead, ProfileHead } from '#src/features/profiles/profile-head.tsx'
import { ProfileSkeleton } from '#src/features/profiles/profile-skeleton.tsx'
import { postTabs, type PostTab, typeOf } from '#src/features/profiles/post-tabs.ts'
import { ProfileTabs } from '#src/features/profiles/profile-tabs.tsx'
import { postsOf, profileQuery } from '#src/features/profiles/profiles.ts'
import { OlderNote } from '#src/features/shell/older-note.tsx'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { isAway } from '#src/domain/offline/cached-reads.ts'
import { isMissing } from '#src/domain/api/api.ts'
import { personInQueryCache, personInAnyCache } from '#src/domain/posts/from-lists.ts'
import type { ListedPerson } from '#src/domain/offline/listed.ts'
import { useMember } from '#src/domain/session/session.ts'
import { text } from '#src/domain/text/text.ts'
import { peopleText } from '#src/domain/people/text.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { Opening } from '#src/ui/later.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { RetryNote } from '#src/ui/states/retry-note.tsx'

export const Route = createFileRoute('/profile/$id')({
  // Visitors never need the code for reading posts.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'default', title: text.nav.profile },
  validateSearch: v.object({ type: v.optional(v.fallback(v.picklist(postTabs), 'all')) }),
  loaderDeps: ({ search }) => ({ tab: search.type ?? 'all' }),
  loader: async ({ context: { queryClient }, params: { id }, deps }) => {
    const here = await personInQueryCache(id)
    const posts = queryClient.ensureInfiniteQueryData(postsOf(id, typeOf[deps.tab])).catch(leaveToList)
    const reading = queryClient.ensureQueryData(profileQuery(id))
    try {
      if (!here.person) await Promise.all([reading, posts])
      // Data of lists is shown at once, while the page reads the profile.
      else void reading.catch(() => undefined)
      return here
    } catch (error) {
      const known = isAway(error) ? await personInAnyCache(id) : here
      if (known.person) return known
      throw error
    }
  },
  pendingComponent: Pending,
  errorComponent: Failed,
  component: () => (
    <Opening meanwhile={<Pending />}>
      <Shown />
    </Opening>
  ),
})

/** Keyed by person: no state of the previous profile remains. */
function Shown() {
  const { id } = Route.useParams()
  return <Profile key={id} />
}

/** Failures of the posts are shown by the list. */
function leaveToList(error: unknown): void {
  if (!isAway(error)) throw error
}

function Profile() {
  const { id } = Route.useParams()
  const reading = useQuery(profileQuery(id))
  const { person } = Route.useLoaderData()
  // After the profile was shown, data of lists is not used.
  const [shown, setShown] = useState(false)
  if (reading.data && !shown) setShown(true)
  if (reading.data) return <Whole reading={reading} person={reading.data} />
  const known = shown ? undefined : person
  if (reading.error && (!known || !isAway(reading.error))) throw reading.error
  return known ? <Known person={known} away={reading.error !== null} /> : <Pending />
}

interface WholeProps {
  reading: { data: unknown; dataUpdatedAt: number; error: Error | null }
  person: ProfileView
}

function Whole({ reading, person }: WholeProps) {
  const { id } = person
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
      <PostsByType id={id} />
    </>
  )
}

/** A person as a list showed them, until the profile is there. */
function Known({ person, away }: { person: ListedPerson; away: boolean }) {
  return (
    <>
      <ListedHead person={person}>
        <p className="mt-2 text-sm text-soft">{away ? peopleText.detailsLater : text.loading}</p>
      </ListedHead>
      <PostsByType id={person.id} />
    </>
  )
}

function PostsByType({ id }: { id: string }) {
  const { type = 'all' } = Route.useSearch()
  const navigate = useNavigate()
  return (
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
  )
}

function Posts({ id, tab }: { id: string; tab: PostTab }) {
  const isOwn = useMember()?.id === id
  const feed = useInfiniteQuery(postsOf(id, typeOf[tab]))
  const { posts } = Route.useLoaderData()
  const list = {
    name: `profile:${id}:${tab}`,
    label: peopleText.posts,
    onAuthorPage: true,
    failed: loadFailed,
  }
  if (feed.data === undefined && isAway(feed.error)) {
    const known = posts.filter((it) => typeOf[tab] === undefined || it.type === typeOf[tab])
    return (
      <>
        <PostList {...list} feed={{ ...feed, ...asRead(known) }} empty={null} />
        <RetryNote label={text.retry} busyLabel={text.loading} onRetry={() => feed.refetch()}>
          {known.length > 0 ? peopleText.otherPostsLater : peopleText.postsLater}
        </RetryNote>
      </>
    )
  }
  return (
    <PostList
      {...list}
      feed={feed}
      empty={
        <EmptyState
          drawing="frame"
          title={tab === 'all' ? text.posts.noneByThem : peopleText.noneOfType}
          {...(isOwn && {
            text: text.posts.emptyText,
            action: (
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

/** Some posts as a list that has no more. */
const asRead = (posts: readonly PostView[]) => ({
  data: { pages: [{ posts }] },
  isPending: false,
  isFetchNextPageError: false,
  hasNextPage: false,
  error: null,
})

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
  // The profile was shown before a block or a deletion.
  if (isMissing(error)) return <ProfileNotFound />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
