// /chat-messages/search-detail: search in the messages of the member.
import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { termsOf } from '#contract/text/fold.ts'
import { MessageHits } from '#src/features/messages/message-hits.tsx'
import { MessageSearch } from '#src/features/messages/message-search.tsx'
import { readMessageSearch } from '#src/features/messages/search-params.ts'
import { searchInMessagesText as words } from '#src/features/messages/text.ts'
import { loadFailed } from '#src/features/shell/failures/load-failure.tsx'
import { conversationQuery } from '#src/domain/messages/message-queries.ts'
import { SearchedFor } from '#src/domain/posts/highlight.tsx'
import { useMember } from '#src/domain/session/session.ts'
import { EmptyState } from '#src/ui/states/empty-state.tsx'

export const Route = createFileRoute('/chat-messages/search-detail')({
  codeSplitGroupings: [['component']],
  staticData: { access: 'member', layout: 'head-title', title: 'メッセージを検索' },
  validateSearch: readMessageSearch,
  component: SearchDetail,
})

function SearchDetail() {
  const me = useMember()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const { q, user } = search
  const terms = useMemo(() => termsOf(q), [q])
  const conversation = useQuery({ ...conversationQuery(user ?? ''), enabled: user !== undefined })
  if (!me) return null
  return (
    <SearchedFor value={terms}>
      <MessageSearch
        key={q}
        search={search}
        inConversation={user === undefined ? undefined : (conversation.data?.person.name ?? '')}
        onSearch={(next) => void navigate({ search: next, replace: true })}
      />
      {q === '' ? (
        <EmptyState drawing="letter" title={words.begin} text={words.beginText} />
      ) : (
        <MessageHits search={search} ownId={me.id} failed={loadFailed} />
      )}
    </SearchedFor>
  )
}
