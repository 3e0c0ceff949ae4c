// Derived keys of earlier master keys, each encrypted by the present one.
import { desc } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { retainedKeys } from '#server/store/tables/audit.ts'

export type RetainedKeyRow = typeof retainedKeys.$inferSelect

/** The newest ones first. */
export async function listRetainedKeys(db: Db): Promise<RetainedKeyRow[]> {
  return db.select().from(retainedKeys).orderBy(desc(retainedKeys.createdAt))
}

export async function removeRetainedKeys(db: Db): Promise<void> {
  await db.delete(retainedKeys)
}

/** Stores a key unless it is stored already. */
export async function addRetainedKeyOnce(db: Db, row: RetainedKeyRow): Promise<void> {
  await db.insert(retainedKeys).values(row).onConflictDoNothing()
}
