// Queued emails, sealed. The table keeps its first name, `letters`.
import { eq, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { emails } from '#server/store/tables/accounts.ts'

type NewEmail = Pick<typeof emails.$inferSelect, 'id' | 'sealed' | 'noticeId'>

export async function addEmail(db: Db, email: NewEmail, now: number): Promise<void> {
  await db.insert(emails).values({ ...email, createdAt: new Date(now) })
}

export async function findEmail(
  db: Db,
  id: string,
): Promise<Pick<typeof emails.$inferSelect, 'sealed' | 'createdAt'> | undefined> {
  const { sealed, createdAt } = emails
  return (await db.select({ sealed, createdAt }).from(emails).where(eq(emails.id, id)))[0]
}

export async function removeEmail(db: Db, id: string): Promise<void> {
  await db.delete(emails).where(eq(emails.id, id))
}

/** Emails that wait to be sent; few, unless the relay is down. */
export async function listEmails(db: Db): Promise<{ readonly id: string; readonly sealed: string }[]> {
  return db.select({ id: emails.id, sealed: emails.sealed }).from(emails).orderBy(emails.createdAt)
}

export async function removeEmailsBefore(db: Db, before: number): Promise<void> {
  await db.delete(emails).where(lt(emails.createdAt, new Date(before)))
}
