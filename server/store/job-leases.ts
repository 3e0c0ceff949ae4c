// Leases of running jobs: one that its worker no longer renews is taken over.
import type { JobName, RawSql } from './jobs.ts'

/** A job that runs. */
export interface Lease {
  readonly name: JobName
  readonly id: string
  /** Names this run. A worker that was paused may not report about the run that another one began meanwhile. */
  readonly run: string
}

export interface LeasedJob extends Lease {
  readonly data: object
  /** After how many seconds the run is failed although its worker lives. */
  readonly expiry: number
}

/** How often a job runs again after workers that died, where its kind has fewer retries: it may be what kills them. */
const MOST_LOST = 3

/** While a job runs, pg-boss leaves `output` to this lease; the result replaces it. */
const until = (seconds: string) =>
  `jsonb_build_object('leasedUntil', now() + ${seconds}::float8 * interval '1 second')`
const leaseEnded = `(output ->> 'leasedUntil')::timestamptz < now()`

/** Jobs that should not run any more: their worker died, or they run longer than their kind may. */
export const isOverdue = `state = 'active' and (${leaseEnded}
  or started_on + expire_seconds * interval '1 second' < now())`

const isThisRun = `name = $1 and id = $2 and state = 'active' and output ->> 'run' = $3`
const of = ({ name, id, run }: Lease) => [name, id, run]

/**
 * An index of the few running jobs among those that ended within a week, for the looks at leases. It is made once; pg-boss makes
 * the tables and has none.
 */
export async function indexRunning(raw: RawSql): Promise<void> {
  const { rows } = await raw.executeSql(
    `select to_regclass('pgboss.job_running') is not null as "isMade"`,
    [],
  )
  if ((rows as { isMade: boolean }[])[0]?.isMade) return
  await raw.executeSql(`do $$ begin
    perform pg_advisory_xact_lock(hashtextextended('pgboss.job_running', 0));
    create index if not exists job_running on pgboss.job_common (name) where state = 'active';
  end $$`)
}

/** Takes the next job that is due, with a lease. pg-boss counts a retry when it is taken again; so does this. */
export async function takeJob(
  raw: RawSql,
  { name, run }: Pick<Lease, 'name' | 'run'>,
  leaseSeconds: number,
): Promise<LeasedJob | undefined> {
  const { rows } = await raw.executeSql(
    `with next as (
       select id from pgboss.job where name = $1 and state < 'active' and start_after < now()
       order by priority desc, created_on, id limit 1 for update skip locked
     )
     update pgboss.job set state = 'active', started_on = now(),
       retry_count = case when started_on is null then retry_count else retry_count + 1 end,
       output = jsonb_build_object('run', $2::text) || ${until('$3')}
     from next where job.name = $1 and job.id = next.id
     returning job.id, job.data, job.expire_seconds as expiry`,
    [name, run, leaseSeconds],
  )
  const taken = (rows as Pick<LeasedJob, 'id' | 'data' | 'expiry'>[])[0]
  return taken && { name, run, ...taken, data: taken.data ?? {} }
}

export async function completeJob(raw: RawSql, lease: Lease): Promise<void> {
  await raw.executeSql(
    `update pgboss.job set state = 'completed', completed_on = now(), output = null where ${isThisRun}`,
    of(lease),
  )
}

/** jsonb has no U+0000. */
const textOf = (text: string) => text.replaceAll('\0', '')

function outputOf(error: unknown): string {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  return JSON.stringify({ name: textOf(name), message: textOf(message), stack: textOf(stack) })
}

/** Retries the job later, or fails it after as many retries as its kind has. The delay doubles, as pg-boss does it. */
export async function failJob(raw: RawSql, lease: Lease, error: unknown): Promise<void> {
  const backoff = `2 ^ least(16, retry_count + 1) / 2`
  await raw.executeSql(
    `update pgboss.job set output = $4::jsonb,
       state = (case when retry_count < retry_limit then 'retry' else 'failed' end)::pgboss.job_state,
       completed_on = case when retry_count < retry_limit then null else now() end,
       start_after = case when retry_count >= retry_limit then start_after
         when not retry_backoff then now() + retry_delay * interval '1 second'
         else now() + least(retry_delay_max, retry_delay + ${backoff} + ${backoff} * random()) * interval '1 second' end
     where ${isThisRun}`,
    [...of(lease), outputOf(error)],
  )
}

/** Gives back a job whose worker stops, as if it had not been taken: another worker takes it at once. */
export async function giveBackJob(raw: RawSql, lease: Lease): Promise<void> {
  await raw.executeSql(
    `update pgboss.job set state = 'retry', started_on = null, start_after = now(), output = null where ${isThisRun}`,
    of(lease),
  )
}

/** Renews the leases of this process; those that another process has taken over stay as they are. */
export async function renewLeases(
  raw: RawSql,
  leases: readonly Lease[],
  leaseSeconds: number,
): Promise<void> {
  await raw.executeSql(
    `update pgboss.job set output = output || ${until('$4')}
     from unnest($1::text[], $2::uuid[], $3::text[]) as lease (name, id, run)
     where job.name = lease.name and job.id = lease.id and job.state = 'active' and job.output ->> 'run' = lease.run`,
    [leases.map((it) => it.name), leases.map((it) => it.id), leases.map((it) => it.run), leaseSeconds],
  )
}

/** A job whose worker died. */
export interface TakenOver {
  readonly name: JobName
  /** `failed`: as many workers died with it as a job may have. */
  readonly state: 'retry' | 'failed'
}

/** Puts jobs whose leases ended back, so that they run again at once. */
export async function takeOverJobs(raw: RawSql): Promise<TakenOver[]> {
  const again = `job.retry_count < greatest(job.retry_limit, ${MOST_LOST})`
  const { rows } = await raw.executeSql(
    `with lost as (
       select name, id from pgboss.job where state = 'active' and ${leaseEnded} for update skip locked
     )
     update pgboss.job set start_after = now(), output = jsonb_build_object('message', 'its worker ended'),
       state = (case when ${again} then 'retry' else 'failed' end)::pgboss.job_state,
       completed_on = case when ${again} then null else now() end
     from lost where job.name = lost.name and job.id = lost.id returning job.name, job.state::text`,
    [],
  )
  return rows as TakenOver[]
}
