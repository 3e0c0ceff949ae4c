// Adds jobs to the tables of pg-boss in a transaction of the server.
import type PgBoss from 'pg-boss'
import { boundSql, type Db } from './database.ts'
import type { JobData, JobName, Jobs } from './jobs.ts'
import { carrying, type JobTraces } from './job-traces.ts'
import { type JobVersions, withVersion } from './job-versions.ts'

/** Runs statements of pg-boss in a transaction of the server. */
export const within = (tx: Db) => ({
  executeSql: (text: string, values: readonly unknown[] = []) =>
    tx.execute(boundSql(text, values)) as unknown as Promise<{ rows: never[] }>,
})

/** The functions that add jobs in a transaction. @param traces undefined where tracing is off */
export function addingWith(
  boss: PgBoss,
  versions: JobVersions,
  traces: JobTraces | undefined,
): Pick<Jobs, 'enqueue' | 'enqueueOnce' | 'enqueueMany'> {
  const stored = <N extends JobName>(name: N, data: JobData[N]) =>
    carrying(traces, withVersion(versions, name, data))
  return {
    async enqueue(tx, name, data, later = 0) {
      await boss.send(name, stored(name, data), { db: within(tx), startAfter: later })
    },
    async enqueueOnce(tx, name, data, seconds) {
      const once = { singletonKey: 'once', singletonSeconds: seconds }
      await boss.send(name, stored(name, data), {
        db: within(tx),
        startAfter: seconds,
        ...once,
      })
    },
    async enqueueMany(tx, name, data) {
      if (data.length === 0) return
      await boss.insert(
        name,
        data.map((it) => ({ name, data: stored(name, it) })),
        { db: within(tx) },
      )
    },
  }
}
