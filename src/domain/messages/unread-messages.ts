// The number of unread messages and requests: updated live, and polled.
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { countUnreadMessages, listConversations, receiveMessages } from '#contract/messages/conversations.ts'
import { type EventData, personChannel } from '#contract/realtime/channels.ts'
import { call } from '#src/domain/api/api.ts'
import { queriesOf, queryFor, replaceData } from '#src/domain/queries/query.ts'
import { listen, onRecovered } from '#src/domain/realtime/realtime.ts'
import { createCallLimiter } from '#src/lib/call-limiter.ts'
import { afterFirstPage } from '#src/lib/idle.ts'
import { catchUp } from './catch-up.ts'
import { applyConversation, conversationQuery } from './message-queries.ts'

const POLL_INTERVAL = 60_000
/** Lists of conversations are read again at most this often, ms. */
const READ_EVERY = 2000
/** Copies for reading without network are made at most this often, ms. */
const COPY_EVERY = 30_000

export const unreadMessagesQuery = queryOptions({
  ...queryFor(countUnreadMessages, {}),
  staleTime: 5000,
  // Events are missed while the connection is not open.
  refetchInterval: POLL_INTERVAL,
})

/** The number of unread messages; 0 until it is read. */
export const useUnreadMessages = (): number => useQuery(unreadMessagesQuery).data?.count ?? 0

/** Receives changes of conversations while the app is open; rendered once. */
export function useLiveMessages(me: string): void {
  const client = useQueryClient()
  useEffect(() => {
    const lists = createCallLimiter(READ_EVERY, () => {
      void client.invalidateQueries(queriesOf(listConversations))
    })
    const copies = createCallLimiter(COPY_EVERY, () => void copySoon(client, me))
    copies.call()
    const stops = [
      listen(personChannel(me), 'messages.unread', ({ count }) => {
        void replaceData(client, unreadMessagesQuery.queryKey, (before) => before && { ...before, count })
      }),
      listen(personChannel(me), 'conversation.changed', (data) => {
        lists.call()
        copies.call()
        void onConversationChanged(client, data)
      }),
      onRecovered(() => {
        recoverConversations(client)
        copies.call()
      }),
      lists.cancel,
      copies.cancel,
    ]
    return () => stops.forEach((stop) => stop())
  }, [client, me])
}

/** Copies the newest conversations to the device; the code is loaded after the first page. */
async function copySoon(client: QueryClient, me: string): Promise<void> {
  await afterFirstPage()
  const { copyConversations } = await import('./copy-conversations.ts')
  return copyConversations(client, me)
}

/** Reads a changed conversation where it is cached, and reports that its messages have arrived on this device. */
async function onConversationChanged(
  client: QueryClient,
  { user_id: userId, seq }: EventData<'conversation.changed'>,
): Promise<void> {
  const { queryKey } = conversationQuery(userId)
  const before = client.getQueryData(queryKey)
  const isCached = before !== undefined
  try {
    if (isCached) await catchUp(client, userId)
    if (isCached && before.last_seq >= seq) return void client.invalidateQueries({ queryKey })
    const view = await call(receiveMessages, { params: { user_id: userId }, body: { seq } })
    if (isCached) applyConversation(client, userId, view)
  } catch (error) {
    // The next event, or the next opening of the conversation, reads it.
    console.warn('a conversation was not read', error)
  }
}

/** Reads every cached conversation again, whose events may have been missed. */
function recoverConversations(client: QueryClient): void {
  const [name, shape] = conversationQuery('').queryKey
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: [name, shape] })) {
    const { params } = queryKey[2] as { params: { user_id: string } }
    void client.invalidateQueries({ queryKey, exact: true })
    catchUp(client, params.user_id).catch((error: unknown) =>
      console.warn('a conversation was not read', error),
    )
  }
}
