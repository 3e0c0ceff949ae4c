// Passkeys and the challenges issued for them.
import { and, asc, count, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { passkeyChallenges, passkeys } from '#server/store/tables/accounts.ts'

export type Passkey = typeof passkeys.$inferSelect
export type Challenge = typeof passkeyChallenges.$inferSelect

export async function addChallenge(db: Db, challenge: Challenge): Promise<void> {
  await db.insert(passkeyChallenges).values(challenge)
}

/**
 * Uses a challenge once.
 * @param userId the person for whom it was issued; null before sign-in
 */
export async function takeChallenge(
  db: Db,
  { id, userId, purpose }: Pick<Challenge, 'id' | 'userId' | 'purpose'>,
  now: number,
): Promise<string | undefined> {
  const whose = userId === null ? isNull(passkeyChallenges.userId) : eq(passkeyChallenges.userId, userId)
  const taken = await db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.id, id), eq(passkeyChallenges.purpose, purpose), whose))
    .returning()
  const [challenge] = taken
  return challenge && challenge.expiresAt.getTime() > now ? challenge.challenge : undefined
}

export async function removeExpiredChallenges(db: Db, now: number): Promise<void> {
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, new Date(now)))
}

/** Adds a passkey; false when any person has registered it before. */
export async function addPasskey(db: Db, passkey: Passkey): Promise<boolean> {
  const added = await db.insert(passkeys).values(passkey).onConflictDoNothing().returning({ id: passkeys.id })
  return added.length === 1
}

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  return db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), passkeys.id)
}

export async function countPasskeys(db: Db, userId: string): Promise<number> {
  const rows = await db.select({ n: count() }).from(passkeys).where(eq(passkeys.userId, userId))
  return Number(rows[0]?.n ?? 0)
}

export async function findPasskey(db: Db, id: string): Promise<Passkey | undefined> {
  return (await db.select().from(passkeys).where(eq(passkeys.id, id)))[0]
}

const ownedBy = (userId: string, id: string) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

export async function renamePasskey(
  db: Db,
  userId: string,
  id: string,
  name: string,
): Promise<Passkey | undefined> {
  return (await db.update(passkeys).set({ name }).where(ownedBy(userId, id)).returning())[0]
}

export async function removePasskey(db: Db, userId: string, id: string): Promise<Passkey | undefined> {
  return (await db.delete(passkeys).where(ownedBy(userId, id)).returning())[0]
}

/** Removes every passkey of a person. @returns how many they were */
export async function removePasskeysOf(db: Db, userId: string): Promise<number> {
  return (await db.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id })).length
}

/**
 * Records a use; false when the counter has not grown since the last one. Authenticators without a counter always send
 * zero (WebAuthn section 6.1.1).
 */
export async function recordPasskeyUse(
  db: Db,
  id: string,
  { counter, backedUp }: Pick<Passkey, 'counter' | 'backedUp'>,
  now: number,
): Promise<boolean> {
  const grown = sql`(${passkeys.counter} < ${counter} or (${passkeys.counter} = 0 and ${counter} = 0))`
  const used = await db
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: new Date(now) })
    .where(and(eq(passkeys.id, id), grown))
    .returning({ id: passkeys.id })
  return used.length === 1
}
