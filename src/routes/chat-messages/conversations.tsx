// /chat-messages/conversations: the conversations of the member.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import * as v from 'valibot'
import { type ConversationList as List, conversationList } from '#contract/messages/conversation-lists.ts'
import { BroadcastLink } from '#src/features/messages/broadcast/broadcast-link.tsx'
import { ConversationList } from '#src/features/messages/list/conversation-list.tsx'
import { ConversationSkeleton } from '#src/features/messages/conversation-skeleton.tsx'
import { messagesText as words, searchInMessagesText } from '#src/features/messages/text.ts'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { unreadMessagesQuery } from '#src/domain/messages/unread-messages.ts'
import { useMember } from '#src/domain/session/session.ts'
import { Tabs } from '#src/ui/tabs.tsx'

export const Route = createFileRoute('/chat-messages/conversations')({
  codeSplitGroupings: [['loader', 'component'], ['pendingComponent']],
  staticData: { access: 'member', layout: 'default', title: 'メッセージ' },
  validateSearch: v.object({ list: v.optional(v.fallback(conversationList, 'inbox')) }),
  pendingComponent: ConversationSkeleton,
  component: Conversations,
})

function Conversations() {
  const me = useMember()
  const list = Route.useSearch().list ?? 'inbox'
  const navigate = useNavigate({ from: Route.fullPath })
  const requests = useQuery(unreadMessagesQuery).data?.requests ?? 0
  if (!me) return null
  const labelOf = (it: List) =>
    it === 'requests' && requests > 0 ? words.requestsWith(requests) : words.lists[it]
  return (
    <div className="pb-16">
      <div className="flex min-h-14 items-center pr-2 pl-4 rail:pr-4 rail:pl-6">
        <h1 className="flex-1 text-lg font-semibold">{words.title}</h1>
        <BroadcastLink mayHavePlans={me.identified === true} />
        <Link
          to="/chat-messages/search-detail"
          search={{ q: '' }}
          aria-label={searchInMessagesText.title}
          title={searchInMessagesText.title}
          className="grid size-11 place-items-center rounded-pill text-soft hover:bg-sunk hover:text-ink"
        >
          <Search aria-hidden size={22} />
        </Link>
      </div>
      <Tabs
        label={words.listsLabel}
        value={list}
        onChange={(next) => void navigate({ search: next === 'inbox' ? {} : { list: next }, replace: true })}
        tabs={conversationList.options.map((it) => ({
          value: it,
          label: labelOf(it),
          panel: <ConversationList list={it} ownId={me.id} failed={loadFailed} />,
        }))}
        sticky
      />
    </div>
  )
}
