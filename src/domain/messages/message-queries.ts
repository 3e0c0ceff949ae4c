// Queries of conversations and messages, and changes of their cached data.
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { ConversationList } from '#contract/messages/conversation-lists.ts'
import {
  type ConversationView,
  countUnreadMessages,
  getConversation,
  type ListedConversation,
  listConversations,
} from '#contract/messages/conversations.ts'
import { listMessages, type MessagePage, type MessageView } from '#contract/messages/messages.ts'
import { pagesKey } from '#contract/search/reading-keys.ts'
import { copyOf, newestPage, withOlder } from '#device/cache/message-copies.ts'
import { call } from '#src/domain/api/api.ts'
import { requestVisible } from '#src/domain/api/visibility.ts'
import { readThroughCache } from '#src/domain/offline/cached-reads.ts'
import type { ToStore } from '#src/domain/offline/to-store.ts'
import { changeData, pagesFor, queriesOf, queryFor, replaceData } from '#src/domain/queries/query.ts'
import {
  type MessageChanges,
  messagesIn,
  type MessagePages,
  type PageStart,
  withChanges,
} from './message-pages.ts'

export const conversationsQuery = (list: ConversationList) => pagesFor(listConversations, { query: { list } })

export const conversationQuery = (userId: string) =>
  queryFor(getConversation, { params: { user_id: userId } })

/** A number above every sequence number: all messages of the pages may be deleted. */
const END = 999_999_999

const argsOf = (userId: string, around: number | undefined) => ({ params: { user_id: userId }, around })

const firstAround = (seq: number): PageStart => ({ around: String(seq) })

/**
 * Messages with a person, from the newest or around a sequence number, with pages in both directions. They are not read
 * again as a whole: `catchUp` reads what has changed.
 */
export function messagesQuery(userId: string, around?: number) {
  return infiniteQueryOptions({
    queryKey: pagesKey(listMessages, argsOf(userId, around)),
    queryFn: async (context) => {
      const read = () =>
        requestVisible(() =>
          call(listMessages, { params: { user_id: userId }, query: context.pageParam ?? {} }),
        )
      const page = await readThroughCache(listMessages, context, read)
      // A copy on the device may be shown already: what it has before the newest messages stays.
      const shown = context.client.getQueryData<MessagePages>(context.queryKey)?.pages[0]
      return context.pageParam === null ? withOlder(page, shown) : page
    },
    meta: { cached: listMessages.cached, toStore: around === undefined ? storedCopy : firstPageOf },
    staleTime: 'static',
    // Null as in every other list: the response cache has first pages with it.
    initialPageParam: around === undefined ? null : firstAround(around),
    getPreviousPageParam: ({ has_before: more }: MessagePage, pages: MessagePage[]): PageStart | null =>
      more ? { before: String(messagesIn({ pages })[0]?.seq ?? END) } : null,
    getNextPageParam: ({ has_after: more }: MessagePage, pages: MessagePage[]): PageStart | null =>
      more ? { after: String(messagesIn({ pages }).at(-1)?.seq ?? 0) } : null,
  })
}

/** What the device stores of the newest messages: also what a former copy has before them. */
const storedCopy: ToStore = (data, former) => {
  const [first, ...more] = (data as MessagePages).pages
  const before = v.safeParse(v.object({ pages: v.tuple([listMessages.reply]) }), former)
  return (
    first &&
    copyOf(withOlder(newestPage([first, ...more]), before.success ? before.output.pages[0] : undefined))
  )
}

/** What the device stores of another place: the page that was read first. */
const firstPageOf: ToStore = (data) => {
  const { pages, pageParams } = data as MessagePages
  const at = pageParams.findIndex((it) => (it as PageStart).around !== undefined)
  return { pages: pages.slice(at, at + 1), pageParams: pageParams.slice(at, at + 1) }
}

interface MessagesKey {
  readonly params: { readonly user_id: string }
}

/** Filter of all queries of the messages with a person. */
export const messagesWith = (userId: string) => ({
  predicate: ({ queryKey: [name, , args] }: { queryKey: readonly unknown[] }) =>
    name === listMessages.name && (args as MessagesKey).params.user_id === userId,
})

/** Adds changed messages to every cached page of a conversation. */
export function applyChanges(client: QueryClient, userId: string, changes: MessageChanges): void {
  changeData<MessagePages>(client, messagesWith(userId), (data) => withChanges(data, changes))
}

/** Adds one message, as a reply has it. */
export const applyMessage = (client: QueryClient, userId: string, message: MessageView): void =>
  applyChanges(client, userId, { messages: [message], deleted: [] })

/** Replaces the viewer's view of a conversation, as a reply has it. */
export function applyConversation(client: QueryClient, userId: string, view: ConversationView): void {
  void replaceData(client, conversationQuery(userId).queryKey, view)
}

/** Marks a conversation as read where it is shown, before the server has stored the mark. */
export function applyReading(client: QueryClient, userId: string, seq: number): void {
  changeData<ConversationView>(client, { queryKey: conversationQuery(userId).queryKey }, (view) =>
    view.read_seq >= seq ? view : { ...view, read_seq: seq, unread: 0 },
  )
  const asRead = (it: ListedConversation) =>
    it.person.id === userId && it.unread > 0 ? { ...it, unread: 0 } : it
  changeData<{ pages: ReplyOf<typeof listConversations>[] }>(
    client,
    queriesOf(listConversations),
    (data) => ({
      ...data,
      pages: data.pages.map((page) => ({
        ...page,
        pinned: page.pinned.map(asRead),
        conversations: page.conversations.map(asRead),
      })),
    }),
  )
}

/** Removes all messages up to a sequence number, after the viewer has deleted them. */
export function applyClearing(client: QueryClient, userId: string, upTo: number): void {
  changeData<MessagePages>(client, messagesWith(userId), (data) => ({
    ...data,
    pages: data.pages.map((page) => ({ ...page, messages: page.messages.filter((it) => it.seq > upTo) })),
  }))
}

/** Reads the lists of conversations and the count of unread messages again. */
export function rereadLists(client: QueryClient): void {
  void client.invalidateQueries(queriesOf(listConversations))
  void client.invalidateQueries(queriesOf(countUnreadMessages))
}
