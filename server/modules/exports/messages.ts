// Messages of a person in their zip.
import type { Db } from '#server/store/database.ts'
import { ownMessages } from '#server/store/messages/own-messages.ts'
import { dateOf } from '#server/store/statement.ts'

/** Conversations with what the person wrote and received. */
export async function messagesOf(db: Db, userId: string) {
  const conversations = Map.groupBy(await ownMessages(db, userId), (it) => it.otherId)
  return [...conversations].map(([id, rows]) => ({
    with: { id, name: rows[0]?.name ?? '' },
    messages: rows.map((it) => ({
      id: it.id,
      from: it.isOwn ? 'me' : 'them',
      content: it.content,
      reply_to: it.replyTo,
      reaction: it.reaction,
      sent_at: dateOf(it.sentAt),
      unsent_at: it.unsentAt === null ? null : dateOf(it.unsentAt),
    })),
  }))
}
