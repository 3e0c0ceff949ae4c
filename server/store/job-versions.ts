// Versions of the data of jobs, for servers of two versions on one database.
import type { JobData, JobName, RawSql } from './jobs.ts'

/** The version of the data of each kind of job; 1 where none is given. */
export type JobVersions = Readonly<Partial<Record<JobName, number>>>

/**
 * The versions that this code writes and reads. It also reads all earlier ones. A new optional field that the version before
 * may ignore changes nothing here; every other change of `JobData` adds one.
 */
export const jobVersions: JobVersions = {
  // It names the provider.
  'recurring.stop': 2,
}

/** When a job that this server does not know is offered again, s. */
const OFFERED_AGAIN = 10

type Versioned<N extends JobName> = JobData[N] & { readonly v?: number }

/** The data as they are stored, with their version where it is not the first. */
export function withVersion<N extends JobName>(
  versions: JobVersions,
  name: N,
  data: JobData[N],
): Versioned<N> {
  const version = versions[name] ?? 1
  return version === 1 ? data : { ...data, v: version }
}

export function isNewer<N extends JobName>(versions: JobVersions, name: N, data: Versioned<N>): boolean {
  return (data.v ?? 1) > (versions[name] ?? 1)
}

/**
 * Puts a fetched job back for another server, as if it had not been fetched: pg-boss counts a retry when it fetches a job
 * that was started before.
 */
export async function putBack(raw: RawSql, name: JobName, id: string): Promise<void> {
  await raw.executeSql(
    `update pgboss.job set state = 'retry', started_on = null, start_after = now() + $3 * interval '1 second'
     where name = $1 and id = $2 and state = 'active'`,
    [name, id, OFFERED_AGAIN],
  )
}
