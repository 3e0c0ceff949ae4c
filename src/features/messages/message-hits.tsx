// MessageHits: the messages that a search has found, as links to their places.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#contract/endpoint.ts'
import { searchMessages } from '#contract/messages/search.ts'
import { Marked } from '#src/domain/posts/highlight.tsx'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { pagesFor } from '#src/domain/queries/query.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { Avatar } from '#src/ui/avatar.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { When } from '#src/ui/text/when.tsx'
import { ConversationSkeleton } from './conversation-skeleton.tsx'
import { lineOf } from './message-line.ts'
import type { MessageSearchParams } from './search-params.ts'
import { messagesText, searchInMessagesText as words } from './text.ts'

type Hit = ReplyOf<typeof searchMessages>['hits'][number]

interface MessageHitsProps {
  search: MessageSearchParams
  ownId: string
  /** Shown when the search failed. */
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function MessageHits({ search, ownId, failed }: MessageHitsProps) {
  const { user, ...filters } = search
  const query = { ...filters, ...(user !== undefined && { user_id: user }) }
  const found = useInfiniteQuery(pagesFor(searchMessages, { query }))
  if (found.isPending) return <ConversationSkeleton />
  if (!found.data) return failed(found.error, found.refetch)
  const hits = found.data.pages.flatMap((page) => page.hits)
  if (hits.length === 0)
    return <EmptyState drawing="letter" title={words.none(search.q)} text={words.noneText} />
  return (
    <>
      <ul aria-label={words.hits(search.q)}>
        {hits.map((it) => (
          <Found key={it.message.id} hit={it} isOwn={it.message.sender_id === ownId} />
        ))}
      </ul>
      <LoadMore {...loadMore(found, messagesText.more)} />
    </>
  )
}

function Found({ hit: { person, message }, isOwn }: { hit: Hit; isOwn: boolean }) {
  const at = Date.parse(message.sent_at)
  const line = lineOf(message) ?? messagesText.unsentRow
  return (
    <li className="relative flex gap-3 border-b border-line px-4 py-3 hover:bg-sunk rail:px-6">
      <Avatar name={person.name} src={person.avatar_url} />
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline gap-2">
          <Link
            to="/chat-messages/$id"
            params={{ id: person.id }}
            search={{ seq: message.seq }}
            className="truncate font-semibold after:absolute after:inset-0"
          >
            {person.name}
          </Link>
          <span className="ml-auto shrink-0 text-xs text-soft">
            <When at={message.sent_at} format={(_, now) => relative(at, now)} whole={dateTime(at)} />
          </span>
        </p>
        <p dir="auto" className="line-clamp-3 text-sm break-words">
          {isOwn && <span className="text-soft">{messagesText.own('')}</span>}
          <Marked text={line} />
        </p>
      </div>
    </li>
  )
}
