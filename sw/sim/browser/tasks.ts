// The task queue of simulated browsers: one task at a time, after all promises.

/** Tasks of databases that wait for their turn. */
let waiting: (() => void)[] = []

/** In place of `setImmediate` for what runs inside a story. */
export function queueTask(task: () => void): void {
  waiting.push(task)
}

/** Whether the disk is slow at this moment: its tasks then wait while time passes. */
let isSlow: () => boolean = () => false
export function slowDisk(slow: () => boolean): void {
  isSlow = slow
}

export const isWaiting = (): boolean => waiting.length > 0

/** Drops the tasks of a finished story. */
export function dropTasks(): void {
  waiting = []
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Runs tasks until there is none and no promise can go on by itself. */
export async function settle(): Promise<void> {
  await turn()
  for (let rounds = 0; waiting.length > 0; rounds++) {
    if (rounds > 5000) {
      const [task] = waiting
      dropTasks()
      throw new Error(`a database never rests: ${String(task)}`)
    }
    if (isSlow()) return
    // Microtasks run between the callbacks of one round of immediates.
    const round = waiting
    waiting = []
    for (const task of round) setImmediate(task)
    await turn()
  }
}
