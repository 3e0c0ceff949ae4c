// Finds whose a session is by its id.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { momentOf, statement } from '#server/store/statement.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { sessions, users } from '#server/store/tables/people.ts'

const ownerOfSession = statement<{ id: string; now: string }, { user_id: string }>(
  { id: 'uuid', now: 'timestamptz' },
  (param) => sql`select s.user_id
    from ${sessions} s join ${users} u on u.id = s.user_id left join ${deletions} d on d.user_id = u.id
    where s.id = ${param('id')} and s.expires_at > ${param('now')} and u.suspended_at is null and d.due_at is null`,
)

/** Whose a session is that has not ended; undefined for a suspended or leaving account too. */
export async function findSessionOwner(db: Db, sessionId: string, now: number): Promise<string | undefined> {
  return (await ownerOfSession(db, { id: sessionId, now: momentOf(now) }))[0]?.user_id
}
