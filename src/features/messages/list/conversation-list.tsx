// ConversationList: the conversations of one list, by their newest message.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import type { ConversationList as List } from '#contract/messages/conversation-lists.ts'
import type { ListedConversation } from '#contract/messages/conversations.ts'
import { conversationsQuery } from '#src/domain/messages/message-queries.ts'
import { loadMore, type PagedList } from '#src/domain/queries/load-more.ts'
import { fetchMore } from '#src/domain/queries/query.ts'
import { useRows } from '#src/lib/use-rows.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { useListKeys, useOpenedFocus } from '#src/features/messages/keys/list-keys.ts'
import { ConversationSkeleton } from '#src/features/messages/conversation-skeleton.tsx'
import { messagesText as words } from '#src/features/messages/text.ts'
import { ConversationRow } from './conversation-row.tsx'

/** Height of a row until it is measured, CSS pixels. */
const ROW_HEIGHT = 73

interface ConversationListProps {
  list: List
  ownId: string
  /** Shown when the list could not be read. */
  failed: (error: Error, retry: () => Promise<unknown>) => ReactNode
}

export function ConversationList({ list, ownId, failed }: ConversationListProps) {
  const pages = useInfiniteQuery({ ...conversationsQuery(list), staleTime: 0 })
  if (pages.isPending) return <ConversationSkeleton />
  if (!pages.data) return failed(pages.error, pages.refetch)
  const pinned = pages.data.pages.flatMap((page) => page.pinned)
  const others = pages.data.pages.flatMap((page) => page.conversations)
  const ids = new Set<string>()
  // A conversation with a new message may be in two pages.
  const shown = [...pinned, ...others].filter(
    (it) => !ids.has(it.conversation_id) && ids.add(it.conversation_id),
  )
  return (
    <>
      {shown.length === 0 && !pages.hasNextPage && <Empty list={list} />}
      <Rows list={list} ownId={ownId} pages={pages} conversations={shown} />
      <LoadMore {...loadMore(pages, words.more)} />
    </>
  )
}

interface RowsProps {
  list: List
  ownId: string
  pages: PagedList
  conversations: readonly ListedConversation[]
}

/** Only rows near the screen are in the document. */
function Rows({ list: name, ownId, pages, conversations }: RowsProps) {
  const sizes = conversations.map((it) => ({ key: it.conversation_id, estimate: ROW_HEIGHT }))
  const { list, shown, total, nearEnd, measure, onFocus } = useRows<HTMLUListElement>(sizes, {
    name: `conversations.${name}`,
    returns: false,
  })
  const [swiped, setSwiped] = useState<string>()
  const wants = nearEnd && pages.hasNextPage && !pages.isFetchNextPageError && !pages.isFetching
  useEffect(() => {
    if (wants) void fetchMore(pages)
  })
  useListKeys(list)
  useOpenedFocus(list, shown.length)
  return (
    <ul
      ref={list}
      aria-label={words.listOf(words.lists[name])}
      onFocusCapture={onFocus}
      className="relative"
      style={{ height: total }}
    >
      {shown.map(({ index, key, start }) => {
        const conversation = conversations[index]
        return (
          <li
            key={key}
            ref={measure}
            aria-setsize={pages.hasNextPage ? -1 : conversations.length}
            aria-posinset={index + 1}
            data-index={index}
            data-key={key}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start}px)` }}
          >
            {conversation && (
              <ConversationRow
                conversation={conversation}
                ownId={ownId}
                list={name}
                isSwiped={swiped === key}
                onSwiped={(is) => setSwiped(is ? key : undefined)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Empty({ list }: { list: List }) {
  return (
    <EmptyState
      drawing="letter"
      {...words.empty[list]}
      action={
        list === 'inbox' && (
          <Link to="/search" className={buttonClass('quiet')}>
            {words.findPeople}
          </Link>
        )
      }
    />
  )
}
