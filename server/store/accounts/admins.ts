// Admins: people whose addresses the operator's settings name, and no others.
import { and, eq, inArray, isNull, ne, notInArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'

type Role = (typeof users.$inferSelect)['role']

/**
 * Gives everybody with one of these addresses the role, and takes it from everybody else.
 * @returns whose role changed
 */
export async function setAdmins(db: Db, emails: readonly string[]): Promise<{ id: string; role: Role }[]> {
  const named = emails.length > 0 ? inArray(users.email, [...emails]) : undefined
  const risen = named
    ? await db
        .update(users)
        .set({ role: 'admin' })
        .where(and(named, ne(users.role, 'admin'), isNull(users.deletedAt)))
        .returning({ id: users.id, role: users.role })
    : []
  const fallen = await db
    .update(users)
    .set({ role: 'member' })
    .where(and(eq(users.role, 'admin'), emails.length > 0 ? notInArray(users.email, [...emails]) : undefined))
    .returning({ id: users.id, role: users.role })
  return [...risen, ...fallen]
}
