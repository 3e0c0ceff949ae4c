// Invitations: made and revoked by admins, and used by new accounts.
import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { invitations } from '#server/store/tables/accounts.ts'
import { users } from '#server/store/tables/people.ts'

export type InvitationRow = typeof invitations.$inferSelect

export async function addInvitationRows(tx: Db, rows: readonly InvitationRow[]): Promise<void> {
  await tx.insert(invitations).values([...rows])
}

const usable = (now: number) =>
  and(
    lt(invitations.used, invitations.uses),
    gt(invitations.until, new Date(now)),
    isNull(invitations.revokedAt),
  )

/** The id of the invitation with this code, if an account can be made with it now. */
export async function findUsable(db: Db, code: string, now: number): Promise<string | undefined> {
  const rows = await db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.code, code), usable(now)))
  return rows[0]?.id
}

/** Counts one use. @returns false when none is left, or it is over or revoked: then nothing is counted */
export async function countUse(tx: Db, id: string, now: number): Promise<boolean> {
  const rows = await tx
    .update(invitations)
    .set({ used: sql`${invitations.used} + 1` })
    .where(and(eq(invitations.id, id), usable(now)))
    .returning({ id: invitations.id })
  return rows.length === 1
}

/** Revokes an invitation. @returns it, and whether this call did it; undefined for an unknown one */
export async function revokeInvitationRow(
  tx: Db,
  id: string,
  now: number,
): Promise<{ row: InvitationRow; isNew: boolean } | undefined> {
  const [changed] = await tx
    .update(invitations)
    .set({ revokedAt: new Date(now) })
    .where(and(eq(invitations.id, id), isNull(invitations.revokedAt)))
    .returning()
  if (changed) return { row: changed, isNew: true }
  const [row] = await tx.select().from(invitations).where(eq(invitations.id, id))
  return row && { row, isNew: false }
}

/** Invitations, newest first. @param after the last one of the page before */
export function listInvitationRows(
  db: Db,
  after: { readonly at: Date; readonly id: string } | undefined,
  limit: number,
): Promise<InvitationRow[]> {
  const { id, madeAt } = invitations
  return db
    .select()
    .from(invitations)
    .where(after && or(lt(madeAt, after.at), and(eq(madeAt, after.at), lt(id, after.id))))
    .orderBy(desc(madeAt), desc(id))
    .limit(limit)
}

/** Whether at least so many accounts were made since a moment. It reads the index of times, and returns at most one row. */
export async function hasAccountsSince(db: Db, since: number, most: number): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.createdAt, new Date(since)))
    .offset(most - 1)
    .limit(1)
  return rows.length > 0
}
