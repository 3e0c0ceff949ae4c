// Counts the people who get the same text, by keyed hashes of texts and recipients.
import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { equalMessages } from '#server/store/tables/messages.ts'

/**
 * Records a text for a recipient. Concurrent calls with one text wait for each other.
 * @param since texts from before are not counted, ms since 1970
 * @returns how many recipients the text has had since then
 */
export async function countRecipients(
  tx: Db,
  { content, recipient }: { readonly content: string; readonly recipient: string },
  since: number,
  now: number,
): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${content}, 0))`)
  const sentAt = new Date(now)
  await tx
    .insert(equalMessages)
    .values({ content, recipient, sentAt })
    .onConflictDoUpdate({ target: [equalMessages.content, equalMessages.recipient], set: { sentAt } })
  return tx.$count(
    equalMessages,
    and(eq(equalMessages.content, content), gt(equalMessages.sentAt, new Date(since))),
  )
}

export async function removeEqualMessagesBefore(db: Db, before: number): Promise<void> {
  await db.delete(equalMessages).where(lte(equalMessages.sentAt, new Date(before)))
}
