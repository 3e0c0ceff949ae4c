// Gives the admin role to exactly those accounts whose addresses the operator's settings name.
import { and, eq, inArray, isNull, ne, notInArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'

type Role = (typeof users.$inferSelect)['role']

/**
 * Gives accounts with one of these addresses the admin role, and all others the member role.
 * @returns accounts whose role changed
 */
export async function setAdmins(db: Db, emails: readonly string[]): Promise<{ id: string; role: Role }[]> {
  const named = emails.length > 0 ? inArray(users.email, [...emails]) : undefined
  const promoted = named
    ? await db
        .update(users)
        .set({ role: 'admin' })
        .where(and(named, ne(users.role, 'admin'), isNull(users.deletedAt)))
        .returning({ id: users.id, role: users.role })
    : []
  const demoted = await db
    .update(users)
    .set({ role: 'member' })
    .where(and(eq(users.role, 'admin'), emails.length > 0 ? notInArray(users.email, [...emails]) : undefined))
    .returning({ id: users.id, role: users.role })
  return [...promoted, ...demoted]
}
