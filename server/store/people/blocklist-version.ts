// The version of a person's blocklist: a value that changes with each block and mute of or by them.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { mutes } from '#server/store/tables/people.ts'
import { blocks } from '#server/store/tables/settings.ts'

// A sum of hashes needs no order, and costs one read of each row however many there are.
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

/** Changes whenever the person blocks, mutes or is blocked. Internal: it must not be shown. */
export async function blocklistVersion(db: Db, userId: string): Promise<string> {
  const [row] = await sumOf(db, { id: userId })
  return row?.sum ?? ''
}
