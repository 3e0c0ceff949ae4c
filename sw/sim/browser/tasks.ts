// The task queue of simulated browsers: one task at a time, after all promises.

/** Tasks of databases that have not run yet. */
let waiting: (() => void)[] = []

/** Replaces `setImmediate` for code that runs inside a story. */
export function queueTask(task: () => void): void {
  waiting.push(task)
}

/** Whether the disk is slow now: then its tasks wait until virtual time has advanced. */
let isSlow: () => boolean = () => false
export function slowDisk(isSlowNow: () => boolean): void {
  isSlow = isSlowNow
}

export const isWaiting = (): boolean => waiting.length > 0

/** Drops the tasks of a finished story. */
export function dropTasks(): void {
  waiting = []
}

const nextImmediate = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Runs tasks until there is none, and no promise continues without another task. */
export async function runTasks(): Promise<void> {
  await nextImmediate()
  for (let rounds = 0; waiting.length > 0; rounds++) {
    if (rounds > 5000) {
      const [task] = waiting
      dropTasks()
      throw new Error(`the tasks of a database do not end: ${String(task)}`)
    }
    if (isSlow()) return
    // Microtasks run between the callbacks of one round of immediates.
    const round = waiting
    waiting = []
    for (const task of round) setImmediate(task)
    await nextImmediate()
  }
}
