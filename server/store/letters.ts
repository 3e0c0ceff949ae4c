// Letters on their way, sealed.
import { eq, lt } from 'drizzle-orm'
import type { Db } from './database.ts'
import { letters } from './tables/accounts.ts'

export async function addLetter(db: Db, id: string, sealed: string, now: number): Promise<void> {
  await db.insert(letters).values({ id, sealed, createdAt: new Date(now) })
}

export async function findLetter(db: Db, id: string): Promise<string | undefined> {
  return (await db.select({ sealed: letters.sealed }).from(letters).where(eq(letters.id, id)))[0]?.sealed
}

export async function removeLetter(db: Db, id: string): Promise<void> {
  await db.delete(letters).where(eq(letters.id, id))
}

/** Letters that wait to be sent; few, as long as the relay answers. */
export async function listLetters(db: Db): Promise<{ readonly id: string; readonly sealed: string }[]> {
  return db.select({ id: letters.id, sealed: letters.sealed }).from(letters).orderBy(letters.createdAt)
}

export async function removeLettersBefore(db: Db, before: number): Promise<void> {
  await db.delete(letters).where(lt(letters.createdAt, new Date(before)))
}
