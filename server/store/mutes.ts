// Whom people have muted: their posts and comments leave the muter's lists, and nothing else changes.
import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { mutes } from './tables/people.ts'

/**
 * For a where clause: the viewer has not muted the person this column names.
 * @param viewerId undefined for a visitor, who mutes nobody
 */
export function notMuted(viewerId: string | undefined, column: AnyColumn | SQL): SQL | undefined {
  if (viewerId === undefined) return undefined
  return sql`not exists (select 1 from ${mutes} as quiet where quiet.muter_id = ${viewerId} and quiet.muted_id = ${column})`
}
