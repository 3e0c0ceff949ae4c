// Accounts of people: finding, adding and changing them, their state, and their pictures.
import { type AnyColumn, and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { userPictures } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'

export type User = typeof users.$inferSelect

/** State of an account; others see only `present` ones. `gone`: deleted. */
export type AccountState = 'present' | 'leaving' | 'suspended' | 'gone'

export interface Person {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly bio: string
  readonly avatarId: string | null
  readonly state: AccountState
}

/** Adds an account; false when another one has the address. */
export async function addUser(db: Db, user: typeof users.$inferInsert): Promise<boolean> {
  const added = await db
    .insert(users)
    .values(user)
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id })
  return added.length === 1
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return (
    await db
      .select()
      .from(users)
      .where(and(eq(users.email, email), isNull(users.deletedAt)))
  )[0]
}

export async function findUser(db: Db, id: string): Promise<User | undefined> {
  return (await db.select().from(users).where(eq(users.id, id)))[0]
}

export async function anyoneRegistered(db: Db): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).limit(1)).length > 0
}

interface PersonRow extends Omit<Person, 'state'> {
  readonly deletedAt: string | null
  readonly suspendedAt: string | null
  readonly leavingId: string | null
}

const people = statement<{ ids: readonly string[] }, PersonRow>(
  { ids: 'uuid[]' },
  (param) =>
    sql`select u.id, u.name, u.handle, u.bio, a.media_id as "avatarId", u.deleted_at as "deletedAt",
      u.suspended_at as "suspendedAt", leaving.user_id as "leavingId"
    from unnest(${param('ids')}) as wanted(id) join users u on u.id = wanted.id
    left join user_pictures a on a.user_id = u.id and a.role = 'avatar'
    left join deletions leaving on leaving.user_id = u.id`,
)

/** People by their ids, with avatar and state. */
export async function findPeople(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  if (ids.length === 0) return new Map()
  const rows = await people(db, { ids: [...new Set(ids)] })
  return new Map(
    rows.map(({ deletedAt, suspendedAt, leavingId, ...row }) => [
      row.id,
      { ...row, state: stateOf(deletedAt, suspendedAt, leavingId) },
    ]),
  )
}

/** The state of an account, from the three columns that decide it. */
export function stateOf(
  deletedAt: Date | string | null,
  suspendedAt: Date | string | null,
  leavingId: string | null,
): AccountState {
  if (deletedAt !== null) return 'gone'
  if (suspendedAt !== null) return 'suspended'
  return leavingId === null ? 'present' : 'leaving'
}

/** For a where clause: the account of the person in this column is present. */
export function isPresent(column: AnyColumn | SQL): SQL {
  return sql`(exists (select 1 from ${users} as present where present.id = ${column} and present.deleted_at is null and present.suspended_at is null)
    and not exists (select 1 from ${deletions} as leaving where leaving.user_id = ${column}))`
}

/** The state of an account; `gone` when it does not exist. */
export async function accountState(db: Db, userId: string): Promise<AccountState> {
  return (await findPeople(db, [userId])).get(userId)?.state ?? 'gone'
}

export async function findPicture(db: Db, userId: string, role: 'avatar' | 'cover'): Promise<string | null> {
  const rows = await db
    .select({ id: userPictures.mediaId })
    .from(userPictures)
    .where(and(eq(userPictures.userId, userId), eq(userPictures.role, role)))
  return rows[0]?.id ?? null
}

export async function setPicture(
  db: Db,
  userId: string,
  role: 'avatar' | 'cover',
  mediaId: string,
): Promise<void> {
  await db
    .insert(userPictures)
    .values({ userId, role, mediaId })
    .onConflictDoUpdate({ target: [userPictures.userId, userPictures.role], set: { mediaId } })
}

/** Serialises transactions that count something of one person. */
export async function lockUser(tx: Db, id: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}

/** Sets a person's password. @returns name and address, for an email */
export async function setPassword(
  db: Db,
  id: string,
  passwordHash: string,
): Promise<{ email: string; name: string } | undefined> {
  const changed = await db
    .update(users)
    .set({ passwordHash })
    .where(eq(users.id, id))
    .returning({ email: users.email, name: users.name })
  return changed[0]
}

/** Sets a person's address; false when another account has it. */
export async function setEmail(db: Db, id: string, email: string): Promise<boolean> {
  const taken = await db.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (taken.length > 0) return false
  await db.update(users).set({ email }).where(eq(users.id, id))
  return true
}
