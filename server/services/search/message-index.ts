// Updates the search index of messages in the transaction of the change.
import { tokensOf } from '#contract/text/mentions.ts'
import { searchable } from '#server/rules/search-grams.ts'
import type { Db } from '#server/store/database.ts'
import { indexMessage, unindexMessage, viewersOfMessage } from '#server/store/messages/message-index.ts'
import { findMessage, type MessageRow } from '#server/store/messages/messages.ts'

type Written = Pick<MessageRow, 'id' | 'conversationId' | 'seq' | 'senderId' | 'content' | 'sentAt'>

/** Indexes a new message for the people who see it; one without a text has no entry. */
export async function indexNewMessage(tx: Db, it: Written, userIds: readonly string[]): Promise<void> {
  if (it.content === '' || userIds.length === 0) return
  const hasLink = tokensOf(it.content).some((token) => token.is === 'link')
  await indexMessage(tx, { ...it, hasLink, ...searchable(it.content) }, userIds)
}

/** Indexes a message of an earlier version for the people who see it now. */
export async function reindexMessage(tx: Db, messageId: string): Promise<void> {
  const message = await findMessage(tx, messageId)
  if (!message) return
  await unindexMessage(tx, messageId)
  await indexNewMessage(tx, message, await viewersOfMessage(tx, messageId))
}
