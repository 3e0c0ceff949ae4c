// The version of a person's blocklist. It changes with each block and mute of or by them.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statement } from '#server/store/statement.ts'
import { mutes } from '#server/store/tables/people.ts'
import { blocks } from '#server/store/tables/settings.ts'

// A sum of hashes does not depend on the order of the rows, and reads each row once.
const sumOf = statement<{ id: string }, { sum: string }>(
  { id: 'uuid' },
  (
    param,
  ) => sql`select count(*) || ' ' || coalesce(sum(hashtextextended(entry.way || entry.who::text, 0)), 0) as sum
    from (
      select 'to' as way, blocked_id as who from ${blocks} where blocker_id = ${param('id')}
      union all select 'by', blocker_id from ${blocks} where blocked_id = ${param('id')}
      union all select 'mute', muted_id from ${mutes} where muter_id = ${param('id')}
    ) as entry`,
)

/** A value that changes whenever the person blocks, mutes or is blocked. It must not leave the server. */
export async function blocklistVersion(db: Db, userId: string): Promise<string> {
  const [row] = await sumOf(db, { id: userId })
  return row?.sum ?? ''
}
