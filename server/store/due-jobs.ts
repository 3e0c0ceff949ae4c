// Finds queues with due jobs by one statement, instead of one poll for each worker.
interface Sql {
  executeSql(text: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>
}

/** How often queues are checked, ms: the longest wait of a job that is retried, postponed or of another process. */
const CHECK_MS = 2000

/** An index answers for each queue, however many of its jobs wait. Tables and states are those of pg-boss. */
const dueQueues = `
  select queue.name from unnest($1::text[]) as queue (name)
  where exists (
    select from pgboss.job
    where job.name = queue.name and job.state < 'active' and job.start_after < now()
  )`

export interface DueJobs {
  /** Adds a queue to the check, which starts with the first one. */
  watch(name: string): void
  /** Ends the check, after the statement that is running. */
  stop(): Promise<void>
}

/**
 * @param onDue called with the name of each queue that has due jobs, at every check
 * @param onError called when the database did not answer; the check continues
 */
export function openDueJobs(
  sql: Sql,
  onDue: (name: string) => void,
  onError: (error: Error) => void,
): DueJobs {
  const names = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  async function check(): Promise<void> {
    try {
      const { rows } = await sql.executeSql(dueQueues, [[...names]])
      if (!isStopped) for (const { name } of rows as { name: string }[]) onDue(name)
    } catch (error) {
      if (!isStopped) onError(error as Error)
    }
    if (!isStopped) schedule()
  }
  function schedule(): void {
    timer = setTimeout(() => {
      running = check()
    }, CHECK_MS)
  }
  return {
    watch(name) {
      if (names.size === 0) schedule()
      names.add(name)
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
