// Roles of accounts: who is staff, and giving and taking a role.
import { and, asc, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { type Area, rolesOf } from '#contract/administration/areas.ts'
import { type Role, type StaffRole, staffRoles } from '#contract/administration/role-names.ts'
import type { Db } from '#server/store/database.ts'
import { isPresent } from '#server/store/people/people.ts'
import { users } from '#server/store/tables/people.ts'

export interface StaffRow {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly role: StaffRole
  /** Neither suspended nor leaving. */
  readonly active: boolean
}

const columns = {
  id: users.id,
  name: users.name,
  handle: users.handle,
  role: sql<StaffRole>`${users.role}`,
  active: sql<boolean>`${isPresent(users.id)}`,
}

const isStaff = and(ne(users.role, 'member'), isNull(users.deletedAt))

/** All staff, admins first, then by name. */
export async function listStaffRows(db: Db): Promise<StaffRow[]> {
  const place = sql`array_position(array[${sql.join(
    staffRoles.map((it) => sql`${it}`),
    sql`, `,
  )}]::text[], ${users.role})`
  return db.select(columns).from(users).where(isStaff).orderBy(place, asc(users.name), asc(users.id))
}

/** Locks the rows of all staff in one order, so that two admins cannot take each other's role at once. */
export async function lockStaff(tx: Db): Promise<StaffRow[]> {
  return tx.select(columns).from(users).where(isStaff).orderBy(asc(users.id)).for('update')
}

export interface Named {
  readonly id: string
  readonly role: Role
  readonly active: boolean
}

/** Finds an account by its id, handle (lower case, without @) or email address, and locks it. */
export async function lockNamed(tx: Db, named: string, id: string | undefined): Promise<Named | undefined> {
  const [row] = await tx
    .select({ id: users.id, role: users.role, active: columns.active })
    .from(users)
    .where(
      and(
        isNull(users.deletedAt),
        or(eq(users.handle, named), eq(users.email, named), id === undefined ? undefined : eq(users.id, id)),
      ),
    )
    .limit(1)
    .for('update')
  return row
}

export async function updateRole(tx: Db, userId: string, role: Role): Promise<void> {
  await tx.update(users).set({ role }).where(eq(users.id, userId))
}

/** Gives the admin role to the accounts with these addresses. @returns the ids of those that had another role */
export async function giveAdminRole(tx: Db, emails: readonly string[]): Promise<string[]> {
  if (emails.length === 0) return []
  const given = await tx
    .update(users)
    .set({ role: 'admin' })
    .where(and(inArray(users.email, [...emails]), ne(users.role, 'admin'), isNull(users.deletedAt)))
    .returning({ id: users.id })
  return given.map((it) => it.id)
}

/** How many people whose role has an area can act, for steps that need two of them. */
export async function countStaff(db: Db, area: Area): Promise<number> {
  return db.$count(users, and(inArray(users.role, [...rolesOf(area)]), isPresent(users.id)))
}

/** The role of an account, which stays as it is until the transaction ends; undefined for a deleted account. */
export async function lockRole(tx: Db, userId: string): Promise<{ role: Role } | undefined> {
  const [row] = await tx
    .select({ role: users.role })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.deletedAt)))
    .for('update')
  return row
}

/** A person of an act of staff, as read under the lock. */
export interface Acting {
  readonly id: string
  readonly role: Role
  /** Neither suspended nor leaving. */
  readonly active: boolean
  readonly deleted: boolean
  readonly email: string
  readonly name: string
}

/** Locks accounts in the order of their ids. */
export async function lockActing(tx: Db, ids: readonly string[]): Promise<Map<string, Acting>> {
  const rows = await tx
    .select({
      id: users.id,
      role: users.role,
      active: columns.active,
      deleted: sql<boolean>`${users.deletedAt} is not null`,
      email: users.email,
      name: users.name,
    })
    .from(users)
    .where(inArray(users.id, [...ids]))
    .orderBy(asc(users.id))
    .for('no key update')
  return new Map(rows.map((it) => [it.id, it]))
}
