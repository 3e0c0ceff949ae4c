// Fingerprints of the keys that every server of this database must have.
import { and, eq } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { serverKeys } from '#server/store/tables/settings.ts'

export type ServerKeyName = (typeof serverKeys.$inferSelect)['name']

export const readServerKeys = (db: Db): Promise<(typeof serverKeys.$inferSelect)[]> =>
  db.select().from(serverKeys)

/** @returns the stored fingerprint; undefined before the first start */
export async function readServerKey(db: Db, name: ServerKeyName): Promise<string | undefined> {
  const [row] = await db.select().from(serverKeys).where(eq(serverKeys.name, name))
  return row?.fingerprint
}

export async function removeServerKey(db: Db, fingerprint: string): Promise<void> {
  await db.delete(serverKeys).where(eq(serverKeys.fingerprint, fingerprint))
}

/** Stores a fingerprint unless there is one. @returns the stored one */
export async function storeServerKeyOnce(db: Db, name: ServerKeyName, fingerprint: string): Promise<string> {
  await db.insert(serverKeys).values({ name, fingerprint }).onConflictDoNothing()
  return (await readServerKey(db, name)) ?? fingerprint
}

/** Replaces a fingerprint unless it was changed meanwhile. */
export async function replaceServerKey(db: Db, name: ServerKeyName, from: string, to: string): Promise<void> {
  await db
    .update(serverKeys)
    .set({ fingerprint: to })
    .where(and(eq(serverKeys.name, name), eq(serverKeys.fingerprint, from)))
}
