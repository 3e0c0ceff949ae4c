// Finds people by their handles.
import { and, inArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { isPresent } from '#server/store/people/people.ts'
import { users } from '#server/store/tables/people.ts'

/** The present people with these handles, with the fields that a post's access decision needs. */
export async function findMentioned(
  db: Db,
  handles: readonly string[],
): Promise<{ id: string; birthDate: string }[]> {
  if (handles.length === 0) return []
  return db
    .select({ id: users.id, birthDate: users.birthDate })
    .from(users)
    .where(and(inArray(users.handle, [...handles]), isPresent(users.id)))
}

/** The ids of the present people with these handles, by handle. */
export async function findHandles(db: Db, handles: readonly string[]): Promise<Map<string, string>> {
  if (handles.length === 0) return new Map()
  const rows = await db
    .select({ handle: users.handle, id: users.id })
    .from(users)
    .where(and(inArray(users.handle, [...new Set(handles)]), isPresent(users.id)))
  return new Map(rows.flatMap(({ handle, id }) => (handle === null ? [] : [[handle, id]])))
}
