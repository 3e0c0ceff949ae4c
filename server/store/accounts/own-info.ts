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

export interface OwnInfoChange {
  readonly name: string
  readonly birthDate: string
  readonly legalName: string
  readonly legalNameKana: string
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
  const { name, birthDate, legalName, legalNameKana } = change
  return db.transaction(async (tx) => {
    const rows = await tx
      .select({ birthDate: users.birthDate, identifiedAt: users.identifiedAt })
      .from(users)
      .where(eq(users.id, userId))
      .for('update')
    const before = rows[0]
    if (!before || (before.identifiedAt !== null && before.birthDate !== birthDate)) return false
    await tx.update(users).set({ name, birthDate }).where(eq(users.id, userId))
    const isUnchanged = sql`${userDetails.legalName} = ${legalName} and ${userDetails.legalNameKana} = ${legalNameKana}`
    const details = { legalName, legalNameKana, updatedAt: new Date(now) }
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
    return true
  })
}
