// Schedule of recurring jobs. One process adds each due job for all processes of the database.
import PgBoss from 'pg-boss'

interface Sql {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
}

export interface Schedule {
  /** Sets the jobs that one queue repeats, and deletes its other schedules. */
  set(queue: string, cron: string, all: ReadonlyMap<string, object>): Promise<void>
  stop(): Promise<void>
}

/**
 * Opens the schedule. pg-boss decides in the database which process checks, and adds one job for each due time.
 * @param checkSeconds how often it checks, from 1 to 45
 */
export function openSchedule(raw: Sql, onError: (error: Error) => void, checkSeconds: number): Schedule {
  let opening: Promise<PgBoss> | undefined
  // Only a process that repeats jobs checks the schedule, with a pg-boss instance of its own.
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
