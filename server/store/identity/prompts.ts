// Prompts: the gestures requested of a person; only the newest are valid, once.
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { identityPrompts } from '#server/store/tables/identity.ts'

export type PromptsRow = typeof identityPrompts.$inferSelect

/** Stores new gestures; earlier unused ones of this person become invalid. */
export async function replacePrompts(db: Db, prompts: Omit<PromptsRow, 'usedAt'>): Promise<void> {
  await db.transaction(async (tx) => {
    await tx
      .delete(identityPrompts)
      .where(and(eq(identityPrompts.userId, prompts.userId), isNull(identityPrompts.usedAt)))
    await tx.insert(identityPrompts).values(prompts)
  })
}

/** Requested gestures of this person with this id, if unused. */
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

export async function removePromptsBefore(db: Db, before: number): Promise<void> {
  await db.delete(identityPrompts).where(lt(identityPrompts.expiresAt, new Date(before)))
}
