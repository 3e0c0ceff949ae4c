// /: home, with the feeds フォロー中, 新着 and プラン.
import { createFileRoute, useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { Suspense } from 'react'
import { feedKinds, feedKindOf, type FeedKind } from '#contract/posts/feed-kinds.ts'
import { Feed } from '#src/features/feed/feed.tsx'
import { firstTab, rememberedTab, rememberTab } from '#src/features/feed/home-tab.ts'
import { PostSkeleton } from '#src/features/posts/post-skeleton.tsx'
import { LoadFailure } from '#src/features/shell/failures/load-failure.tsx'
import { feedQuery } from '#src/domain/posts/feeds.ts'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { useMember } from '#src/domain/session/session.ts'
import { Opening } from '#src/ui/later.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { feedText } from '#src/features/feed/text.ts'
import { text } from '#src/domain/text/text.ts'
import { HomeList } from './-home-list.tsx'

// Loaded after the page, since it is not its main content.
const InstallOffer = lazyOptional(
  async () => (await import('#src/features/install/install-offer.tsx')).InstallOffer,
)

const tabOf = ({ tab }: { tab?: unknown }) => {
  const kind = feedKindOf(tab)
  return kind ? { tab: kind } : {}
}

export const Route = createFileRoute('/')({
  // Visitors never need the code for reading posts.
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent'], ['errorComponent']],
  staticData: { access: 'member', layout: 'default', title: text.nav.home },
  validateSearch: (search: { tab?: unknown }): { tab?: FeedKind } => tabOf(search),
  loader: async ({ context: { queryClient, viewer }, location }): Promise<FeedKind> => {
    const seen = viewer.get()
    const ownerId = seen.is === 'authenticated' ? seen.user.id : ''
    const chosen = tabOf(location.search).tab ?? rememberedTab(ownerId)
    const feed = await queryClient.ensureInfiniteQueryData(feedQuery(chosen ?? 'following'))
    if (chosen) return chosen
    const first = feed.pages[0]
    const kind = first ? firstTab(first, ownerId) : 'latest'
    if (kind === 'latest') await queryClient.ensureInfiniteQueryData(feedQuery(kind))
    return kind
  },
  pendingComponent: () => <PostSkeleton count={3} />,
  errorComponent: Failed,
  component: () => (
    <Opening meanwhile={<PostSkeleton count={3} />}>
      <Home />
    </Opening>
  ),
})

function Home() {
  const me = useMember()
  const began = Route.useLoaderData()
  const { tab = began } = Route.useSearch()
  const navigate = Route.useNavigate()
  if (!me) return null
  function show(kind: FeedKind): void {
    if (me) rememberTab(me.id, kind)
    void navigate({ search: { tab: kind }, replace: true })
  }
  return (
    <>
      <h1 className="sr-only">{text.nav.home}</h1>
      <Suspense>
        <InstallOffer />
      </Suspense>
      <Tabs
        sticky
        label={feedText.tabs}
        value={tab}
        onChange={show}
        tabs={feedKinds.map((kind) => ({
          value: kind,
          label: feedText.kinds[kind],
          panel: (
            <Feed kind={kind}>
              <HomeList kind={kind} me={me} onLatest={() => show('latest')} />
            </Feed>
          ),
        }))}
      />
    </>
  )
}

function Failed({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <LoadFailure error={error} onRetry={() => router.invalidate()} />
}
