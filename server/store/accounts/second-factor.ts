// Second factors and their recovery codes.
import { and, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { recoveryCodes, secondFactors } from '#server/store/tables/accounts.ts'

export type SecondFactor = typeof secondFactors.$inferSelect

export async function findSecondFactor(db: Db, userId: string): Promise<SecondFactor | undefined> {
  return (await db.select().from(secondFactors).where(eq(secondFactors.userId, userId)))[0]
}

/** Stores a secret that waits for its first code, in place of an earlier one. @returns false when the second factor is on */
export async function beginFactor(db: Db, userId: string, sealed: string, now: number): Promise<boolean> {
  const createdAt = new Date(now)
  const stored = await db
    .insert(secondFactors)
    .values({ userId, sealed, createdAt })
    .onConflictDoUpdate({
      target: secondFactors.userId,
      set: { sealed, createdAt },
      setWhere: isNull(secondFactors.confirmedAt),
    })
    .returning({ userId: secondFactors.userId })
  return stored.length === 1
}

/** Turns it on. @param sealed the secret that the code was of. @returns false when it is on, or its secret has changed */
export async function confirmFactor(
  db: Db,
  { userId, sealed }: Pick<SecondFactor, 'userId' | 'sealed'>,
  step: number,
  now: number,
): Promise<boolean> {
  const confirmed = await db
    .update(secondFactors)
    .set({ confirmedAt: new Date(now), lastStep: step })
    .where(
      and(
        eq(secondFactors.userId, userId),
        eq(secondFactors.sealed, sealed),
        isNull(secondFactors.confirmedAt),
      ),
    )
    .returning({ userId: secondFactors.userId })
  return confirmed.length === 1
}

/** Uses the code of a step once: of two requests with codes of one step, one changes the row. */
export async function takeStep(db: Db, userId: string, step: number): Promise<boolean> {
  const used = await db
    .update(secondFactors)
    .set({ lastStep: step })
    .where(
      and(
        eq(secondFactors.userId, userId),
        isNotNull(secondFactors.confirmedAt),
        lt(secondFactors.lastStep, step),
      ),
    )
    .returning({ userId: secondFactors.userId })
  return used.length === 1
}

export async function replaceRecoveryCodes(tx: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(hashes.map((codeHash) => ({ userId, codeHash })))
}

/** Uses a recovery code once. @param codeHashes its hashes by each key */
export async function takeRecoveryCode(
  db: Db,
  userId: string,
  codeHashes: readonly string[],
): Promise<boolean> {
  const used = await db
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...codeHashes])))
    .returning({ userId: recoveryCodes.userId })
  return used.length === 1
}

export const countRecoveryCodes = (db: Db, userId: string): Promise<number> =>
  db.$count(recoveryCodes, eq(recoveryCodes.userId, userId))

/** Removes second factor and recovery codes. @returns how many second factors were on: 1 or 0 */
export async function removeFactor(tx: Db, userId: string): Promise<number> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const removed = await tx.delete(secondFactors).where(eq(secondFactors.userId, userId)).returning()
  return removed.filter((it) => it.confirmedAt !== null).length
}
