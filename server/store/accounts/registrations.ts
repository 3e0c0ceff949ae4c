// Registrations that wait for the confirmation of their email address.
import { and, desc, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { registrations } from '#server/store/tables/accounts.ts'

export type Registration = typeof registrations.$inferSelect

export async function addRegistration(db: Db, row: Registration): Promise<void> {
  await db.insert(registrations).values(row)
}

/** An unexpired registration by its id. */
export async function findRegistration(db: Db, id: string, now: number): Promise<Registration | undefined> {
  const rows = await db
    .select()
    .from(registrations)
    .where(and(eq(registrations.id, id), gt(registrations.expiresAt, new Date(now))))
  return rows[0]
}

/** The unexpired registration whose email has the link with this token. */
export async function findRegistrationByToken(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<Registration | undefined> {
  const rows = await db
    .select()
    .from(registrations)
    .where(and(eq(registrations.tokenHash, tokenHash), gt(registrations.expiresAt, new Date(now))))
  return rows[0]
}

/**
 * Unexpired registrations of an address, the newest first. Any of them may be that of the address's owner, since its link proves the
 * address alone.
 */
export async function listRegistrationsOf(
  db: Db,
  email: string,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<Registration[]> {
  return db
    .select()
    .from(registrations)
    .where(and(eq(registrations.email, email), gt(registrations.expiresAt, new Date(now))))
    .orderBy(desc(registrations.createdAt), desc(registrations.id))
    .limit(limit)
}

/** The unexpired registration of an address that was made on the device with this claim. */
export async function findClaimedRegistration(
  db: Db,
  { email, claimHash }: Pick<Registration, 'email' | 'claimHash'>,
  now: number,
): Promise<Registration | undefined> {
  const rows = await db
    .select()
    .from(registrations)
    .where(
      and(
        eq(registrations.email, email),
        eq(registrations.claimHash, claimHash),
        gt(registrations.expiresAt, new Date(now)),
      ),
    )
  return rows[0]
}

/** Deletes a registration; true for only one of concurrent calls. */
export async function takeRegistration(db: Db, id: string): Promise<boolean> {
  const deleted = await db
    .delete(registrations)
    .where(eq(registrations.id, id))
    .returning({ id: registrations.id })
  return deleted.length === 1
}

export async function removeRegistrationsOf(db: Db, email: string): Promise<void> {
  await db.delete(registrations).where(eq(registrations.email, email))
}

export async function removeExpiredRegistrations(db: Db, now: number): Promise<void> {
  await db.delete(registrations).where(lt(registrations.expiresAt, new Date(now)))
}
