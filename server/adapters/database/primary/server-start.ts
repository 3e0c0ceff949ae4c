// Distinguishes PostgreSQL servers: no two have the same time of their start.
import type pg from 'pg'

/** Each role may call the function. A number, since the text of a time depends on the settings of the session. */
const statement = 'select extract(epoch from pg_postmaster_start_time())::text as start'

/** When the server of a connection was started, s since 1970. */
export async function serverStart(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ start: string }>(statement)
  const { start } = rows[0] ?? {}
  if (start === undefined) throw new TypeError('PostgreSQL gave no time of its start')
  return start
}
