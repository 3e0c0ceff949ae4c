// What waits for staff: how much of each kind, and since when.
import { type SQL, sql } from 'drizzle-orm'
import { type Waiting, WAITING_CAP, type WaitingKind } from '#contract/administration/staff.ts'
import type { Db } from '#server/store/database.ts'
import { isOfOthers } from '#server/store/moderation/cases.ts'

/** For each kind, the rows that wait with the column `at`; each has an index of these rows. A case has no place here for those who are a part of it. */
const rowsOf = (readerId: string): Record<WaitingKind, SQL> => ({
  reports: sql`select since as at from cases where state = 'open' and ${isOfOthers(readerId)}`,
  appeals: sql`select since as at from cases where state = 'appealed' and ${isOfOthers(readerId)}`,
  identity: sql`select submitted_at as at from identity_checks where state in ('submitted', 'in_review')`,
  payouts: sql`select requested_at as at from payouts where state in ('requested', 'held')`,
  tasks: sql`select created_at as at from operator_tasks where done_at is null`,
  sellers: sql`select requested_at as at from seller_requests where answered_at is null`,
  requests: sql`select received_at as at from inquiries where state in ('received', 'in_progress') and kind <> 'disclosure'`,
  disclosures: sql`select received_at as at from inquiries where state in ('received', 'in_progress') and kind = 'disclosure'`,
})

/** Counts of these kinds, in the same order. Of more than `WAITING_CAP`, those that came first are counted. */
export async function countWaiting(
  db: Db,
  kinds: readonly WaitingKind[],
  readerId: string,
): Promise<Waiting[]> {
  if (kinds.length === 0) return []
  const waitingRows = rowsOf(readerId)
  const parts = kinds.map(
    (kind) => sql`select ${kind}::text as kind, count(*)::int as count, min(at) as since
      from (select at from (${waitingRows[kind]}) as waiting order by at limit ${sql.raw(String(WAITING_CAP))}) as first`,
  )
  const { rows } = (await db.execute(sql.join(parts, sql` union all `))) as {
    rows: { kind: WaitingKind; count: number; since: string | Date | null }[]
  }
  return kinds.flatMap((kind) => {
    const row = rows.find((it) => it.kind === kind)
    return row
      ? { kind, count: row.count, since: row.since === null ? null : new Date(row.since).toISOString() }
      : []
  })
}
