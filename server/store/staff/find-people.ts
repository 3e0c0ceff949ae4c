// Finds people for staff by id, handle, email address and name.
import { and, eq, or, sql } from 'drizzle-orm'
import type { Role } from '#contract/administration/role-names.ts'
import type { Db } from '#server/store/database.ts'
import { type AccountState, stateOf } from '#server/store/people/people.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { userPictures } from '#server/store/tables/media.ts'
import { users } from '#server/store/tables/people.ts'
import { personSearch } from '#server/store/tables/search.ts'

/** Most people whose names are compared; of more, some are left out. */
const CANDIDATES = 1000

export interface StaffFound {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly avatarId: string | null
  readonly role: Role
  readonly state: AccountState
  readonly createdAt: Date
}

const columns = {
  id: users.id,
  name: users.name,
  handle: users.handle,
  avatarId: userPictures.mediaId,
  role: users.role,
  createdAt: users.createdAt,
  deletedAt: users.deletedAt,
  suspendedAt: users.suspendedAt,
  leavingId: deletions.userId,
}

const found = (db: Db) =>
  db
    .select(columns)
    .from(users)
    .leftJoin(userPictures, and(eq(userPictures.userId, users.id), eq(userPictures.role, 'avatar')))
    .leftJoin(deletions, eq(deletions.userId, users.id))

type Row = Omit<StaffFound, 'state'> & {
  readonly deletedAt: Date | null
  readonly suspendedAt: Date | null
  readonly leavingId: string | null
}
const foundOf = ({ deletedAt, suspendedAt, leavingId, ...row }: Row): StaffFound => ({
  ...row,
  state: stateOf(deletedAt, suspendedAt, leavingId),
})

/** One account, whatever its state. */
export async function findForStaff(db: Db, id: string): Promise<StaffFound | undefined> {
  return (await found(db).where(eq(users.id, id))).map(foundOf)[0]
}

/** The account with exactly this id, handle (lower case, without @) or email address. */
export async function findNamed(db: Db, named: string, id: string | undefined): Promise<StaffFound[]> {
  const is = or(
    eq(users.handle, named),
    eq(users.email, named),
    id === undefined ? undefined : eq(users.id, id),
  )
  return (await found(db).where(is).limit(3)).map(foundOf)
}

export interface NameSearch {
  /** The search, folded, and its words. */
  readonly whole: string
  readonly terms: readonly string[]
  /** In the syntax of PostgreSQL's tsquery. */
  readonly tsquery: string
}

/**
 * People whose name or handle contains every searched word: equal names first, then those that begin with the search, then the
 * newest accounts. Biographies are not compared.
 */
export async function findByName(db: Db, search: NameSearch, limit: number): Promise<StaffFound[]> {
  const { whole, terms, tsquery } = search
  const inName = sql.join(
    terms.map((it) => sql`(strpos(s.name, ${it}) > 0 or strpos(coalesce(u.handle, ''), ${it}) > 0)`),
    sql` and `,
  )
  const prefix = `${whole.replaceAll(/[\\%_]/g, (it) => `\\${it}`)}%`
  // Both parts end after so many rows, however many people match. With enough names that begin with the search, the second is not run.
  const candidates = sql`with begins as materialized
      (select user_id from ${personSearch} where name like ${prefix} limit ${CANDIDATES})
    select user_id from begins union
      (select user_id from ${personSearch} where grams @@ ${tsquery}::tsquery
        and (select count(*) from begins) < ${limit} limit ${CANDIDATES})`
  const ranked = sql`select u.id, case when s.name = ${whole} then 0 when starts_with(s.name, ${whole}) then 1 else 2 end as place
    from (${candidates}) c join ${personSearch} s on s.user_id = c.user_id join ${users} u on u.id = c.user_id
    where ${inName} and u.deleted_at is null order by place, u.created_at desc, u.id limit ${sql.raw(String(limit))}`
  const { rows } = (await db.execute(ranked)) as { rows: { id: string }[] }
  if (rows.length === 0) return []
  const ids = rows.map((it) => it.id)
  const people = (await found(db).where(sql`${users.id} = any(${sql.param(ids)}::uuid[])`)).map(foundOf)
  const byId = new Map(people.map((it) => [it.id, it]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
