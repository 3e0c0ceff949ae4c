// Queues of jobs, and acts on failed ones.
import type { Queue } from '#contract/administration/machine.ts'
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { Deps } from '#server/deps.ts'
import { within } from '#server/store/job-adding.ts'
import type { JobName } from '#server/store/jobs.ts'
import { countJobs, dropJobs, type JobCount, retryJobs, type WhichJobs } from '#server/store/operated-jobs.ts'
import type { Acting } from './settings.ts'

/** Counts of one row for each kind: those with failed jobs first, then by name. */
export function queuesOf(counts: readonly JobCount[]): Queue[] {
  const names = [...new Set(counts.map((it) => it.name))]
  const queues = names.map((name): Queue => {
    const of = (state: JobCount['state']) => counts.find((it) => it.name === name && it.state === state)
    const since = [of('waiting'), of('running')].flatMap((it) => (it ? [it.since.getTime()] : []))
    return {
      name,
      waiting: of('waiting')?.count ?? 0,
      running: of('running')?.count ?? 0,
      failed: of('failed')?.count ?? 0,
      since: since.length === 0 ? null : new Date(Math.min(...since)).toISOString(),
    }
  })
  return queues.toSorted((a, b) => b.failed - a.failed || (a.name < b.name ? -1 : 1))
}

export const readQueues = async ({ database }: Deps): Promise<Queue[]> => queuesOf(await countJobs(database))

const subjectOf = (it: WhichJobs) => ({
  subjectKind: 'job' as const,
  subjectId: 'id' in it ? it.id : NO_ID,
})

/**
 * Tries failed jobs once more; they begin after the commit. Nothing is audited when none had failed.
 * @returns how many there were
 */
export function retryFailed(
  { transaction }: Pick<Deps, 'transaction'>,
  it: WhichJobs,
  by: Acting,
): Promise<number> {
  return transaction(async ({ tx, audit, wake }) => {
    const names = await retryJobs(within(tx), it)
    const count = names.length
    if (count > 0) audit({ ...by, ...subjectOf(it), act: 'jobs.retry', detail: { count } })
    for (const name of new Set(names)) wake(name as JobName)
    return count
  })
}

/** Deletes failed jobs. As `retryFailed`. */
export const dropFailed = (
  { transaction }: Pick<Deps, 'transaction'>,
  it: WhichJobs,
  by: Acting,
): Promise<number> =>
  transaction(async ({ tx, audit }) => {
    const count = await dropJobs(within(tx), it)
    if (count > 0) audit({ ...by, ...subjectOf(it), act: 'jobs.drop', detail: { count } })
    return count
  })
