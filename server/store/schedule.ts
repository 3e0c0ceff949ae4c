// Recurring jobs: the process that first sees that one is due adds it, for all processes of the database.
import PgBoss from 'pg-boss'

interface Sql {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
}

export interface Schedule {
  /** Sets the jobs that one queue repeats; others that it repeated are dropped. */
  set(queue: string, cron: string, all: ReadonlyMap<string, object>): Promise<void>
  stop(): Promise<void>
}

/**
 * pg-boss decides in the database which process looks, and adds one job for a time that is due.
 * @param checkSeconds how often it looks, from 1 to 45
 */
export function openSchedule(raw: Sql, onError: (error: Error) => void, checkSeconds: number): Schedule {
  let opening: Promise<PgBoss> | undefined
  // Only a process that repeats jobs looks for them: another instance than the one that adds and does them.
  const open = async (): Promise<PgBoss> => {
    const boss = new PgBoss({
      db: raw,
      schedule: true,
      supervise: false,
      migrate: false,
      cronMonitorIntervalSeconds: checkSeconds,
      cronWorkerIntervalSeconds: Math.min(checkSeconds, 5),
    })
    boss.on('error', onError)
    return boss.start()
  }
  return {
    async set(queue, cron, all) {
      const boss = await (opening ??= open())
      for (const { name, key } of await boss.getSchedules())
        if (name === queue && !all.has(key)) await boss.unschedule(name, key)
      for (const [key, data] of all) await boss.schedule(queue, cron, data, { key, singletonKey: key })
    },
    async stop() {
      const boss = await opening
      await boss?.stop({ graceful: true, timeout: 2000, wait: true, close: false })
    },
  }
}
