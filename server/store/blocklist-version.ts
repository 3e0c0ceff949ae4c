// Who is hidden from a person, as one value: it differs as soon as anybody comes or goes.
import { sql } from 'drizzle-orm'
import type { Db } from './database.ts'
import { statement } from './statement.ts'
import { mutes } from './tables/people.ts'
import { blocks } from './tables/settings.ts'

// Added up as they are read: the order does not matter, and nobody who is blocked by thousands costs more than a look at
// each.
const sumOf = statement<{ id: string }, { sum: string }>(
  { id: 'uuid' },
  (
    place,
  ) => sql`select count(*) || ' ' || coalesce(sum(hashtextextended(apart.way || apart.who::text, 0)), 0) as sum
    from (
      select 'to' as way, blocked_id as who from ${blocks} where blocker_id = ${place('id')}
      union all select 'by', blocker_id from ${blocks} where blocked_id = ${place('id')}
      union all select 'mute', muted_id from ${mutes} where muter_id = ${place('id')}
    ) as apart`,
)

/** Differs whenever the person has blocked, muted or was blocked by others than before. Not for anybody's eyes. */
export async function apartSum(db: Db, userId: string): Promise<string> {
  const [row] = await sumOf(db, { id: userId })
  return row?.sum ?? ''
}
