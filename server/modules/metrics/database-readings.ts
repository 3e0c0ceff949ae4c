// Metrics of the database: jobs, payments and unfinished uploads.
import { paymentStates } from '#contract/payments/payments.ts'
import { withTimeLimit } from '#server/services/runtime/time-limit.ts'
import { jobNames } from '#server/store/jobs.ts'
import type { Scraped } from '#server/store/staff/scrape.ts'
import type { Reading } from './reading.ts'

/** Values this recent are given again, ms: the database is read no more often, for any number of scrapes. */
export const FRESH = 10_000
/** Longest wait of a scrape for the database, ms: half of the usual timeout of a scrape. */
export const READ_TIME = 5000

interface Ports {
  readonly read: () => Promise<Scraped>
  /** Milliseconds since 1970, which go on by themselves. */
  readonly clock: () => number
}

/** @returns a function that gives recent values, or only that there are none. A reading that hangs is not begun again. */
export function createDatabaseReadings({ read, clock }: Ports): () => Promise<Reading[]> {
  let last: { readonly at: number; readonly readings: Reading[] } | undefined
  let running: Promise<Reading[]> | undefined
  const begin = async () => {
    const at = clock()
    const readings = readingsOf(await read(), at)
    last = { at, readings }
    return readings
  }
  return async () => {
    if (last && clock() - last.at < FRESH) return last.readings
    running ??= begin().finally(() => (running = undefined))
    return withTimeLimit(running, READ_TIME).catch(() => [
      { name: 'todoke_database_read_success' as const, value: 0 },
    ])
  }
}

const jobStates = ['waiting', 'running', 'failed'] as const

/** Every kind and state has a value, so that a rule sees 0 and no gap. */
function readingsOf({ jobs, payments, uploads }: Scraped, now: number): Reading[] {
  return [
    { name: 'todoke_database_read_success', value: 1 },
    ...jobNames.flatMap((job): Reading[] => {
      const of = (state: string) => jobs.find((it) => it.name === job && it.state === state)
      const age = (since: Date | null | undefined) => Math.max(0, now - (since?.getTime() ?? now)) / 1000
      return [
        ...jobStates.map((state): Reading => {
          return { name: 'todoke_jobs', labels: { queue: job, state }, value: of(state)?.count ?? 0 }
        }),
        {
          name: 'todoke_job_queue_age_seconds',
          labels: { queue: job },
          value: age(of('waiting')?.dueSince),
        },
        {
          name: 'todoke_job_running_age_seconds',
          labels: { queue: job },
          value: age(of('running')?.runsSince),
        },
        { name: 'todoke_jobs_overdue', labels: { queue: job }, value: of('running')?.overdue ?? 0 },
      ]
    }),
    ...paymentStates.map((state): Reading => {
      return { name: 'todoke_payments', labels: { state }, value: payments.get(state) ?? 0 }
    }),
    { name: 'todoke_uploads_open', value: uploads.open },
    { name: 'todoke_uploads_open_bytes', value: uploads.bytes },
  ]
}
