// /profile/follow?uid&list: followers of a person, and people they follow.
import {
  createFileRoute,
  notFound,
  useNavigate,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { useSuspenseQuery } from '@tanstack/react-query'
import * as v from 'valibot'
import { followList } from '#contract/people/follow-lists.ts'
import { FollowList } from '#src/features/profiles/follow-list.tsx'
import { ProfileNotFound } from '#src/features/profiles/profile-not-found.tsx'
import { PeopleSkeleton } from '#src/features/profiles/people-skeleton.tsx'
import { profileQuery } from '#src/features/profiles/profiles.ts'
import { LoadFailure, loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { isMissing } from '#src/domain/api/api.ts'
import { peopleText as words } from '#src/domain/people/text.ts'
import { Tabs } from '#src/ui/tabs.tsx'
import { searchId } from '#src/lib/search-text.ts'

const lists = ['followers', 'following'] as const

export const Route = createFileRoute('/profile/follow')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'head-title', title: 'フォロー' },
  // Without `uid` the lists are the viewer's own.
  validateSearch: v.object({
    uid: searchId,
    list: v.optional(v.fallback(followList, 'followers'), 'followers'),
  }),
  loaderDeps: ({ search }) => ({ uid: search.uid }),
  loader: async ({ context: { queryClient, viewer }, deps }) => {
    const seen = await viewer.checked()
    const uid = deps.uid ?? (seen.is === 'authenticated' ? seen.user.id : undefined)
    if (uid === undefined) throw notFound()
    await queryClient.ensureQueryData(profileQuery(uid))
    return { uid }
  },
  pendingComponent: PeopleSkeleton,
  errorComponent: Failed,
  component: Follow,
})

function Follow() {
  const { uid } = Route.useLoaderData()
  const { list } = Route.useSearch()
  const navigate = useNavigate()
  const { name } = useSuspenseQuery(profileQuery(uid)).data
  return (
    <>
      <p className="truncate px-4 pt-3 text-sm text-soft rail:px-6">{words.listOf(name)}</p>
      <Tabs
        label={words.listOf(name)}
        value={list}
        onChange={(next) =>
          void navigate({ to: '/profile/follow', search: { uid, list: next }, replace: true })
        }
        tabs={lists.map((it) => ({
          value: it,
          label: words.lists[it],
          panel: <FollowList uid={uid} list={it} failed={loadFailed} />,
        }))}
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  // The head of this page has a title and a button that leads back.
  if (isMissing(error)) return <ProfileNotFound withBack={false} />
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
