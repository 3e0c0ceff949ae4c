// Runs a transaction; wakes jobs and publishes live messages after it has committed.
import type { Ending, LiveMessage } from '#contract/realtime/channels.ts'
import type { Realtime } from '#server/adapters/realtime/realtime.ts'
import type { Db } from '#server/store/database.ts'
import type { JobName, Jobs } from '#server/store/jobs.ts'

/** What waits for the commit. */
export interface After {
  wake(name: JobName): void
  say(message: LiveMessage): void
  /** Takes away live connections, or what they may hear. */
  end(ending: Ending): void
}

/** @throws what `work` throws; then nothing was written, woken or said */
export type Commit = <T>(work: (tx: Db, after: After) => Promise<T>) => Promise<T>

export function committer(
  db: Db,
  jobs: Pick<Jobs, 'wake'>,
  realtime: Pick<Realtime, 'publish' | 'end'>,
): Commit {
  return async (work) => {
    const names = new Set<JobName>()
    const messages: LiveMessage[] = []
    const endings: Ending[] = []
    const after: After = {
      wake: (name) => void names.add(name),
      say: (message) => void messages.push(message),
      end: (ending) => void endings.push(ending),
    }
    const done = await db.transaction((tx) => work(tx, after))
    if (endings.length > 0) realtime.end(endings)
    for (const name of names) jobs.wake(name)
    if (messages.length > 0) realtime.publish(messages)
    return done
  }
}
