// usePresence and PresenceText: when the other person last had the app open.
import { useQuery } from '@tanstack/react-query'
import type { ConversationView } from '#contract/messages/conversations.ts'
import { getPresence, type Presence } from '#contract/messages/presence.ts'
import { queryFor } from '#src/domain/queries/query.ts'
import { dateTime, relative } from '#src/lib/format.ts'
import { When } from '#src/ui/text/when.tsx'
import { messagesText as words } from '#src/features/messages/text.ts'

/** It is read again at this interval while it is shown, ms. */
const READ_EVERY = 60_000

/** Null where the server shows none, and while it cannot be read: an old "online" would be wrong. */
export function usePresence({ person, conversation_id: id, is_request: isRequest }: ConversationView) {
  const { data, isError, fetchStatus } = useQuery({
    ...queryFor(getPresence, { params: { user_id: person.id } }),
    enabled: id !== null && !isRequest,
    staleTime: 0,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data?.presence ? READ_EVERY : false),
  })
  return isError || fetchStatus === 'paused' ? null : (data?.presence ?? null)
}

export function PresenceText({ presence }: { presence: Presence }) {
  if (presence.is === 'online') return words.online
  const at = Date.parse(presence.at)
  return (
    <>
      {words.lastSeen} <When at={presence.at} format={(_, now) => relative(at, now)} whole={dateTime(at)} />
    </>
  )
}
