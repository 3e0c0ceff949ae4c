// Finds people by name, handle and biography.
import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { notBlocked } from '#server/store/people/blocks.ts'
import type { Db } from '#server/store/database.ts'
import { notMuted } from '#server/store/people/mutes.ts'
import type { SearchedWords } from './posts.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { personCounts, users } from '#server/store/tables/people.ts'
import { personSearch } from '#server/store/tables/search.ts'

/** The place of a person among the results: rank of the match (0 is best), followers, id. */
export interface PersonPlace {
  readonly matchRank: number
  readonly followers: number
  readonly id: string
}

/** For a where clause over people: a search of the viewer may find them. */
const mayBeFound = (viewerId: string) =>
  and(
    isNull(users.deletedAt),
    isNull(users.suspendedAt),
    isNull(users.limitedAt),
    sql`not exists (select 1 from ${deletions} where ${deletions.userId} = ${users.id})`,
    notBlocked(viewerId, users.id),
    notMuted(viewerId, users.id),
  )

/** Those of these people whom a search of the viewer may find now. */
export async function foundNow(db: Db, viewerId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), mayBeFound(viewerId)))
  return new Set(rows.map((row) => row.id))
}

/**
 * Finds people whose name, handle or biography contains every searched word, best match first: equal handle, equal name,
 * name or handle that begins with the search, name that contains it, then the rest; in each, the most followed first.
 */
export function searchPeople(
  db: Db,
  viewerId: string,
  words: SearchedWords,
  page: { whole: string; after: PersonPlace | undefined; limit: number; namesOnly?: boolean },
): Promise<PersonPlace[]> {
  const { after, whole } = page
  const handle = whole.replace(/^@/, '')
  const matchRank = sql<number>`case
    when ${users.handle} = ${handle} then 0
    when ${personSearch.name} = ${whole} then 1
    when starts_with(${personSearch.name}, ${whole}) or starts_with(${users.handle}, ${handle}) then 2
    when strpos(${personSearch.name}, ${whole}) > 0 then 3
    else 4 end`.mapWith(Number)
  const followers = sql<number>`coalesce(${personCounts.followers}, 0)`.mapWith(Number)
  return db
    .select({ id: users.id, matchRank, followers })
    .from(personSearch)
    .innerJoin(users, eq(users.id, personSearch.userId))
    .leftJoin(personCounts, eq(personCounts.userId, users.id))
    .where(
      and(
        sql`${personSearch.grams} @@ ${words.tsquery}::tsquery`,
        ...words.recheck.map((it) => sql`strpos(${personSearch.folded}, ${it}) > 0`),
        mayBeFound(viewerId),
        page.namesOnly ? sql`${matchRank} < 4` : undefined,
        after &&
          sql`(${matchRank}, -${followers}, ${users.id}) > (${after.matchRank}, ${-after.followers}, ${after.id}::uuid)`,
      ),
    )
    .orderBy(asc(matchRank), desc(followers), asc(users.id))
    .limit(page.limit)
}
