// Handles: whose each one is.
import { and, inArray } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { isPresent } from '#server/store/people/people.ts'
import { users } from '#server/store/tables/people.ts'

/** Those of these handles who are there, as far as a decision about a post wants to know them. */
export async function findNamed(
  db: Db,
  handles: readonly string[],
): Promise<{ id: string; birthDate: string }[]> {
  if (handles.length === 0) return []
  return db
    .select({ id: users.id, birthDate: users.birthDate })
    .from(users)
    .where(and(inArray(users.handle, [...handles]), isPresent(users.id)))
}

/** The ids of those who are there, by handle. */
export async function findHandles(db: Db, handles: readonly string[]): Promise<Map<string, string>> {
  if (handles.length === 0) return new Map()
  const rows = await db
    .select({ handle: users.handle, id: users.id })
    .from(users)
    .where(and(inArray(users.handle, [...new Set(handles)]), isPresent(users.id)))
  return new Map(rows.flatMap(({ handle, id }) => (handle === null ? [] : [[handle, id]])))
}
