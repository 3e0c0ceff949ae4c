// Jobs as the operator sees them: counts, failed ones, and repeating or dropping them.
import { isOverdue } from './job-leases.ts'
import type { RawSql } from './jobs.ts'

/** How many jobs of a kind are in a state, and since when the first one waits. */
export interface JobCount {
  readonly name: string
  /** `waiting` may be due later. */
  readonly state: 'waiting' | 'running' | 'failed'
  readonly count: number
  readonly since: Date
  /** Since when the one that was due first has been due; null for none that is due. */
  readonly dueSince: Date | null
  /** Since when the one that began first runs; null for none that runs. */
  readonly runsSince: Date | null
  /** Running ones whose worker died, or that run longer than their kind may. */
  readonly overdue: number
}

/** A job that was tried as often as its kind allows. */
export interface FailedJob {
  readonly id: string
  readonly name: string
  readonly failedAt: Date
  readonly tries: number
  /** Message of the last error, at most 200 characters; '' without one. */
  readonly reason: string
}

const stateOf = `case when state in ('created', 'retry') then 'waiting' when state = 'active' then 'running' else 'failed' end`

/** Counts of jobs that wait, run or have failed, by kind. */
export async function countJobs(raw: RawSql): Promise<JobCount[]> {
  const { rows } = await raw.executeSql(
    `select name, ${stateOf} as state, count(*)::int as count, min(created_on) as since,
       min(start_after) filter (where start_after <= now()) as "dueSince",
       min(started_on) filter (where state = 'active') as "runsSince",
       (count(*) filter (where ${isOverdue}))::int as overdue from pgboss.job
     where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%' group by 1, 2 order by 1, 2`,
  )
  return (rows as JobCount[]).map((it) => ({
    ...it,
    since: new Date(it.since),
    dueSince: it.dueSince && new Date(it.dueSince),
    runsSince: it.runsSince && new Date(it.runsSince),
  }))
}

/** Failed jobs, the latest first. @param name of their kind; undefined for all */
export async function listFailedJobs(
  raw: RawSql,
  name: string | undefined,
  limit: number,
): Promise<FailedJob[]> {
  const { rows } = await raw.executeSql(
    `select id, name, completed_on as "failedAt", retry_count + 1 as tries,
       left(coalesce(output ->> 'message', output -> 'value' ->> 'message', ''), 200) as reason
     from pgboss.job where state = 'failed' and ($1::text is null or name = $1)
     order by completed_on desc nulls last, id limit $2`,
    [name ?? null, limit],
  )
  return (rows as FailedJob[]).map((it) => ({ ...it, failedAt: new Date(it.failedAt) }))
}

/** A job that should not run any more. */
export interface OverdueJob {
  readonly id: string
  readonly name: string
  readonly startedAt: Date
}

/** Jobs whose worker died, or that run longer than their kind may; the first one first. @param name of their kind */
export async function listOverdueJobs(
  raw: RawSql,
  name: string | undefined,
  limit: number,
): Promise<OverdueJob[]> {
  const { rows } = await raw.executeSql(
    `select id, name, coalesce(started_on, created_on) as "startedAt" from pgboss.job
     where ${isOverdue} and ($1::text is null or name = $1) order by started_on, id limit $2`,
    [name ?? null, limit],
  )
  return (rows as OverdueJob[]).map((it) => ({ ...it, startedAt: new Date(it.startedAt) }))
}

/** Which jobs: one by its id, or all of a kind. */
export type WhichJobs = { readonly id: string } | { readonly name: string }

const which = (it: WhichJobs) => ('id' in it ? [it.id, null] : [null, it.name])
const matches = `($1::uuid is null or id = $1) and ($2::text is null or name = $2)`

/** Tries failed and overdue jobs once more. @returns the kinds of those that were, each job once */
export async function retryJobs(raw: RawSql, it: WhichJobs): Promise<string[]> {
  const { rows } = await raw.executeSql(
    `update pgboss.job set state = 'retry', retry_limit = greatest(retry_limit, retry_count + 1), start_after = now(), completed_on = null
     where (state = 'failed' or ${isOverdue}) and ${matches} returning name`,
    which(it),
  )
  return (rows as { name: string }[]).map((row) => row.name)
}

/** Deletes failed jobs, whose work is then not done. @returns how many there were */
export async function dropJobs(raw: RawSql, it: WhichJobs): Promise<number> {
  const { rows } = await raw.executeSql(
    `delete from pgboss.job where state = 'failed' and ${matches} returning id`,
    which(it),
  )
  return rows.length
}
