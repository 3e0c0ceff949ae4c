// Reads the messages of a conversation for one viewer.
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listMessageChanges, listMessages, sendMessage } from '#contract/messages/messages.ts'
import type { Deps } from '#server/deps.ts'
import type { MessageRow } from '#server/store/messages/messages.ts'
import { factsOfMessage, type PageStart, readChanges, readPage } from '#server/store/messages/pages.ts'
import { messageViews, visibleContact } from './views.ts'

interface PageQuery {
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly around?: number | undefined
}

function startOf({ before, after, around }: PageQuery): PageStart {
  if (before !== undefined) return { is: 'before', seq: before }
  if (after !== undefined) return { is: 'after', seq: after }
  return around === undefined ? { is: 'newest' } : { is: 'around', seq: around }
}

export async function listPage(
  deps: Deps,
  viewerId: string,
  otherId: string,
  query: PageQuery,
): Promise<ReplyOf<typeof listMessages>> {
  const { conversation } = await visibleContact(deps, viewerId, otherId)
  const numbers = {
    last_change: conversation?.lastChange ?? 0,
    last_deletion: conversation?.mine.deletions ?? 0,
  }
  if (!conversation) return { messages: [], has_before: false, has_after: false, ...numbers }
  const reading = { viewer: viewerId, conversation: conversation.id }
  const { rows, hasBefore, hasAfter } = await readPage(deps.db, reading, startOf(query))
  return {
    messages: await messageViews(deps, viewerId, rows),
    has_before: hasBefore,
    has_after: hasAfter,
    ...numbers,
  }
}

export async function listChanges(
  deps: Deps,
  viewerId: string,
  otherId: string,
  query: { readonly after: number; readonly deleted_after: number },
): Promise<ReplyOf<typeof listMessageChanges>> {
  const { conversation } = await visibleContact(deps, viewerId, otherId)
  if (!conversation) return { messages: [], deleted: [], next: query, has_more: false }
  const reading = { viewer: viewerId, conversation: conversation.id }
  const after = { change: query.after, deletion: query.deleted_after }
  const last = { change: conversation.lastChange, deletion: conversation.mine.deletions }
  const { rows, hidden, next, hasMore } = await readChanges(deps.db, reading, after, last)
  return {
    messages: await messageViews(deps, viewerId, rows),
    deleted: [...hidden],
    next: { after: next.change, deleted_after: next.deletion },
    has_more: hasMore,
  }
}

/** A sent message for its sender; null when the sender has deleted it for themselves since. */
export async function sentView(
  deps: Deps,
  senderId: string,
  { conversationId, seq }: Pick<MessageRow, 'conversationId' | 'seq'>,
): Promise<ReplyOf<typeof sendMessage>> {
  const facts = await factsOfMessage(deps.db, { viewer: senderId, conversation: conversationId }, seq)
  const [message] = facts ? await messageViews(deps, senderId, [facts]) : []
  return { conversation_id: conversationId, message: message ?? null }
}
