// Account information of a person.
import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'
import { userDetails } from '#server/store/tables/settings.ts'

export interface OwnInfoRow {
  readonly name: string
  readonly email: string
  readonly birthDate: string
  readonly identifiedAt: Date | null
  readonly legalName: string | null
  readonly legalNameKana: string | null
}

export async function findOwnInfo(db: Db, userId: string): Promise<OwnInfoRow | undefined> {
  const rows = await db
    .select({
      name: users.name,
      email: users.email,
      birthDate: users.birthDate,
      identifiedAt: users.identifiedAt,
      legalName: userDetails.legalName,
      legalNameKana: userDetails.legalNameKana,
    })
    .from(users)
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .where(eq(users.id, userId))
  return rows[0]
}

export interface LegalName {
  readonly legalName: string
  readonly legalNameKana: string
}

export interface OwnInfoChange extends LegalName {
  readonly name: string
  readonly birthDate: string
}

/**
 * Saves a change, unless an approved identity check has fixed another birth date.
 * @returns whether the change was saved
 */
export async function saveOwnInfo(
  db: Db,
  userId: string,
  change: OwnInfoChange,
  now: number,
): Promise<boolean> {
  const { name, birthDate } = change
  return db.transaction(async (tx) => {
    const before = await lockFacts(tx, userId)
    if (!before || (before.identifiedAt !== null && before.birthDate !== birthDate)) return false
    await tx.update(users).set({ name, birthDate }).where(eq(users.id, userId))
    await writeLegalName(tx, userId, change, momentAfter(before.identifiedAt, now))
    return true
  })
}

/** Saves name and reading alone. */
export async function saveLegalName(db: Db, userId: string, change: LegalName, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockFacts(tx, userId)
    if (before) await writeLegalName(tx, userId, change, momentAfter(before.identifiedAt, now))
  })
}

/** What an identity check compares. Locked: neither a change nor an approval passes the other. */
export async function lockFacts(
  tx: Db,
  userId: string,
): Promise<(LegalName & { readonly birthDate: string; readonly identifiedAt: Date | null }) | undefined> {
  const [user] = await tx
    .select({ birthDate: users.birthDate, identifiedAt: users.identifiedAt })
    .from(users)
    .where(eq(users.id, userId))
    .for('update')
  if (!user) return undefined
  const [details] = await tx
    .select({ legalName: userDetails.legalName, legalNameKana: userDetails.legalNameKana })
    .from(userDetails)
    .where(eq(userDetails.userId, userId))
  return { ...user, legalName: details?.legalName ?? '', legalNameKana: details?.legalNameKana ?? '' }
}

/** A change that waited for an approval is after it, whatever the clocks of their servers say. */
const momentAfter = (approved: Date | null, now: number): Date =>
  new Date(Math.max(now, (approved?.getTime() ?? -Infinity) + 1))

async function writeLegalName(
  tx: Db,
  userId: string,
  { legalName, legalNameKana }: LegalName,
  updatedAt: Date,
): Promise<void> {
  const isUnchanged = sql`${userDetails.legalName} = ${legalName} and ${userDetails.legalNameKana} = ${legalNameKana}`
  const details = { legalName, legalNameKana, updatedAt }
  await tx
    .insert(userDetails)
    .values({ userId, ...details })
    .onConflictDoUpdate({
      target: userDetails.userId,
      // The moment of the last other name: payouts compare it with that of the identity check's approval.
      set: {
        ...details,
        updatedAt: sql`case when ${isUnchanged} then ${userDetails.updatedAt} else excluded.updated_at end`,
      },
    })
}
