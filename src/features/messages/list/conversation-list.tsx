// ConversationList: the conversations of one list, by their newest message.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ConversationList as List } from '#contract/messages/conversation-lists.ts'
import { conversationsQuery } from '#src/domain/messages/message-queries.ts'
import { loadMore } from '#src/domain/queries/load-more.ts'
import { buttonClass } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/states/empty-state.tsx'
import { LoadMore } from '#src/ui/states/load-more.tsx'
import { ConversationRow } from './conversation-row.tsx'
import { ConversationSkeleton } from './conversation-skeleton.tsx'
import { messagesText as words } from './text.ts'

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
      <ul aria-label={words.listOf(words.lists[list])}>
        {shown.map((it) => (
          <ConversationRow key={it.conversation_id} conversation={it} ownId={ownId} />
        ))}
      </ul>
      <LoadMore {...loadMore(pages, words.more)} />
    </>
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
