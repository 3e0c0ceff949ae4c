// Names and handles of all members, in the order of their ids.
import { and, asc, gt, isNull, ne } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { users } from '#server/store/tables/people.ts'

export interface MemberNames {
  readonly id: string
  readonly name: string
  readonly handle: string | null
  readonly createdAt: Date
}

/** A page of accounts, without deleted ones and admins, in the order of ids. @param after id before the page */
export async function listMemberNames(
  db: Db,
  after: string | undefined,
  count: number,
): Promise<MemberNames[]> {
  const onPage = after === undefined ? undefined : gt(users.id, after)
  return db
    .select({ id: users.id, name: users.name, handle: users.handle, createdAt: users.createdAt })
    .from(users)
    .where(and(onPage, isNull(users.deletedAt), ne(users.role, 'admin')))
    .orderBy(asc(users.id))
    .limit(count)
}
