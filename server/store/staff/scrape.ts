// Reads jobs, payments by state and unfinished uploads for metrics, within a time.
import { and, count, gt, isNull, sql } from 'drizzle-orm'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { within } from '#server/store/job-adding.ts'
import { countJobs, type JobCount } from '#server/store/operated-jobs.ts'
import type { Db } from '#server/store/database.ts'
import { uploads } from '#server/store/tables/media.ts'
import { payments } from '#server/store/tables/payments.ts'

export interface Scraped {
  readonly jobs: readonly JobCount[]
  readonly payments: ReadonlyMap<PaymentRow['state'], number>
  readonly uploads: { readonly open: number; readonly bytes: number }
}

/**
 * Reads in one transaction, whose statements PostgreSQL ends after a time.
 * @param since uploads without a byte since this moment do not count
 * @param ms time of each statement
 * @throws the error of the database
 */
export const readScraped = (db: Db, since: Date, ms: number): Promise<Scraped> =>
  db.transaction(
    async (tx) => {
      await tx.execute(sql`select set_config('statement_timeout', ${String(ms)}, true)`)
      const states = await tx
        .select({ state: payments.state, count: count() })
        .from(payments)
        .groupBy(payments.state)
      const [open] = await tx
        .select({ count: count(), bytes: sql<string>`coalesce(sum(${uploads.length}), 0)` })
        .from(uploads)
        .where(and(gt(uploads.touchedAt, since), isNull(uploads.finishedAt), isNull(uploads.expiredAt)))
      return {
        jobs: await countJobs(within(tx)),
        payments: new Map(states.map((it) => [it.state, it.count])),
        uploads: { open: open?.count ?? 0, bytes: Number(open?.bytes ?? 0) },
      }
    },
    { accessMode: 'read only' },
  )
