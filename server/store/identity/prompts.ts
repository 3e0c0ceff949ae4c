// The acts a person was asked to perform before the camera: the newest ones count, once.
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { identityPrompts } from '#server/store/tables/identity.ts'

export type PromptsRow = typeof identityPrompts.$inferSelect

/** Asks anew: what was asked of this person before and not used counts no more. */
export async function askAnew(db: Db, asked: Omit<PromptsRow, 'usedAt'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .delete(identityPrompts)
      .where(and(eq(identityPrompts.userId, asked.userId), isNull(identityPrompts.usedAt)))
    await tx.insert(identityPrompts).values(asked)
  })
}

/** What was asked of this person under an id and not used yet. */
export async function findUnusedPrompts(db: Db, id: string, userId: string): Promise<PromptsRow | undefined> {
  const rows = await db
    .select()
    .from(identityPrompts)
    .where(
      and(eq(identityPrompts.id, id), eq(identityPrompts.userId, userId), isNull(identityPrompts.usedAt)),
    )
  return rows[0]
}

/** @returns whether they were unused until now */
export async function spendPrompts(db: Db, id: string, userId: string, now: number): Promise<boolean> {
  const used = await db
    .update(identityPrompts)
    .set({ usedAt: new Date(now) })
    .where(
      and(eq(identityPrompts.id, id), eq(identityPrompts.userId, userId), isNull(identityPrompts.usedAt)),
    )
    .returning({ id: identityPrompts.id })
  return used.length === 1
}

export async function forgetPrompts(db: Db, before: number): Promise<void> {
  await db.delete(identityPrompts).where(lt(identityPrompts.expiresAt, new Date(before)))
}
