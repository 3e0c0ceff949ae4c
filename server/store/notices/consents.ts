// Consents of people to advertising by push and email (特定電子メール法).
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { advertisingConsents } from '#server/store/tables/notifications.ts'

/** When a person consented; null without a consent. */
export async function consentOf(db: Db, userId: string): Promise<Date | null> {
  const rows = await db
    .select({ givenAt: advertisingConsents.givenAt })
    .from(advertisingConsents)
    .where(and(eq(advertisingConsents.userId, userId), isNull(advertisingConsents.withdrawnAt)))
  return rows[0]?.givenAt ?? null
}

/** Gives a consent. One that is in force keeps its time. */
export async function giveConsent(tx: Db, userId: string, now: number): Promise<void> {
  const givenAt = new Date(now)
  await tx
    .insert(advertisingConsents)
    .values({ userId, givenAt })
    .onConflictDoUpdate({
      target: advertisingConsents.userId,
      set: { givenAt, withdrawnAt: null },
      setWhere: isNotNull(advertisingConsents.withdrawnAt),
    })
}

/** Withdraws a consent; without one nothing changes. */
export async function withdrawConsent(tx: Db, userId: string, now: number): Promise<void> {
  await tx
    .update(advertisingConsents)
    .set({ withdrawnAt: new Date(now) })
    .where(and(eq(advertisingConsents.userId, userId), isNull(advertisingConsents.withdrawnAt)))
}

/** Deletes withdrawn consents whose time as proof is over. */
export async function removeConsentsBefore(db: Db, before: number): Promise<void> {
  await db.delete(advertisingConsents).where(lt(advertisingConsents.withdrawnAt, new Date(before)))
}
