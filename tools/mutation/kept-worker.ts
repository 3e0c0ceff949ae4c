// A pool of vitest whose processes are kept, so that mutants share what they import.
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type TestProject } from 'vitest/node'

/** Number of runs after which a process is replaced, because what tests leave behind adds up. */
const MOST_RUNS = 50

interface Kept {
  readonly worker: ForksPoolWorker
  runs: number
}

/** The process that waits for its next run. */
let waiting: Kept | undefined

async function taken(options: PoolOptions): Promise<Kept> {
  const kept = waiting
  waiting = undefined
  if (kept) return kept
  const worker = new ForksPoolWorker(options)
  await worker.start()
  return { worker, runs: 0 }
}

async function giveBack(kept: Kept): Promise<void> {
  kept.runs += 1
  if (kept.runs < MOST_RUNS && !waiting) waiting = kept
  else await kept.worker.stop()
}

/**
 * A worker whose process outlives a run of vitest: only its listeners end with the run. A server that is imported and opened
 * for one test needs 16 s in a new process of a slow hour, and 1.8 s in a kept one.
 */
function keptWorker(options: PoolOptions): PoolWorker {
  let kept: Kept | undefined
  const listeners: (readonly [event: string, listener: (argument: unknown) => void])[] = []
  const process = (): ForksPoolWorker => {
    if (!kept) throw new Error('the worker is not started')
    return kept.worker
  }
  return {
    name: 'kept',
    cacheFs: true,
    start: async () => {
      kept = await taken(options)
    },
    stop: async () => {
      if (!kept) return
      for (const [event, listener] of listeners) kept.worker.off(event, listener)
      await giveBack(kept)
    },
    on: (event, listener) => {
      listeners.push([event, listener])
      process().on(event, listener)
    },
    off: (event, listener) => process().off(event, listener),
    send: (message) => {
      if (message.type !== 'stop') return process().send(message)
      // The process is not told that the run has ended: it would forget what it has imported.
      const stopped = { type: 'stopped', __vitest_worker_response__: true }
      for (const [event, listener] of listeners) if (event === 'message') listener(stopped)
    },
    deserialize: (data) => process().deserialize(data),
  }
}

/** Plugin: runs use kept processes, whatever pool their caller has named (StrykerJS names one). */
export const keptPool = {
  name: 'kept-pool',
  configureVitest({ project: { config } }: { project: TestProject }): void {
    config.pool = 'kept'
    config.poolRunner = { name: 'kept', createPoolWorker: keptWorker }
  },
}
