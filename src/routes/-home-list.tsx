// HomeList: one of home's feeds, with the person's unsent posts above it.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import type { FeedKind } from '#contract/posts/feed-kinds.ts'
import type { SessionUser } from '#contract/accounts/session.ts'
import { PostList } from '#src/features/posts/post-list.tsx'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { PeopleSkeleton } from '#src/features/profiles/people-skeleton.tsx'
import { OlderNote } from '#src/features/shell/older-note.tsx'
import { SendingCard } from '#src/features/publish/tray/sending-card.tsx'
import { useSending } from '#src/features/publish/tray/sending.ts'
import { feedQuery } from '#src/domain/posts/feeds.ts'
import { lazyOptional } from '#src/lib/lazy-optional.ts'
import { Button, buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { feedText } from '#src/features/feed/text.ts'
import { text } from '#src/domain/text/text.ts'

const Suggested = lazyOptional(async () => (await import('#src/features/profiles/suggested.tsx')).Suggested)

interface HomeListProps {
  kind: FeedKind
  me: SessionUser
  onLatest: () => void
}

const MAX_SUGGESTED = 5

/** Estimated height of the card of an unsent post, CSS pixels. */
const SENDING_HEIGHT = 150

export function HomeList({ kind, me, onLatest }: HomeListProps) {
  const feed = useInfiniteQuery(feedQuery(kind))
  const { data } = feed
  const shown = useMemo(() => new Set(data?.pages.flatMap((page) => page.posts.map((it) => it.id))), [data])
  const sending = useSending(kind === 'plans' ? undefined : me.id, shown)
  const above = sending.map((delivery) => ({
    key: `sending:${delivery.id}`,
    estimate: SENDING_HEIGHT,
    node: <SendingCard delivery={delivery} me={me} />,
  }))
  // A person who follows no one, or only people without posts, sees suggested creators. They are above the list and
  // stay for this visit: posts of a followed creator do not move them.
  const quiet = data?.pages.every((page) => page.posts.every((it) => it.author.id === me.id)) ?? false
  const [suggests, setSuggests] = useState(false)
  if (kind === 'following' && quiet && !suggests) setSuggests(true)
  return (
    <>
      <OlderNote reading={feed} />
      {suggests && (
        <Suspense fallback={<PeopleSkeleton rows={MAX_SUGGESTED} />}>
          <Suggested max={MAX_SUGGESTED} />
        </Suspense>
      )}
      <PostList
        feed={feed}
        name={`home:${kind}`}
        label={feedText.list(feedText.kinds[kind])}
        returns
        above={above}
        failed={loadFailed}
        empty={<Empty kind={kind} onLatest={onLatest} />}
      />
    </>
  )
}

function Empty({ kind, onLatest }: Pick<HomeListProps, 'kind' | 'onLatest'>) {
  const words = feedText.none[kind]
  return (
    <EmptyState
      drawing="letter"
      title={words.title}
      text={words.text}
      action={
        kind === 'latest' ? (
          <Link to="/post/upload2" className={buttonClass('seal')}>
            {text.posts.write}
          </Link>
        ) : (
          <Button onClick={onLatest}>{feedText.seeLatest}</Button>
        )
      }
    />
  )
}
