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

/** A process that ends while it waits is not used again. */
const forget = (): void => {
  waiting = undefined
}

async function taken(options: PoolOptions): Promise<Kept> {
  const kept = waiting
  forget()
  if (kept) {
    kept.worker.off('exit', forget)
    return kept
  }
  const worker = new ForksPoolWorker(options)
  await worker.start()
  return { worker, runs: 0 }
}

/** @param isIdle whether the process has finished its run; one that was stopped in the middle may still run a test */
async function giveBack(kept: Kept, isIdle: boolean): Promise<void> {
  kept.runs += 1
  if (!isIdle || waiting || kept.runs >= MOST_RUNS) return kept.worker.stop()
  waiting = kept
  kept.worker.on('exit', forget)
}

/**
 * A worker whose process outlives a run of vitest: only its listeners end with the run. Of the time of a test that opens the server, nine
 * tenths are the import and the first opening, which a kept process has behind it.
 */
function keptWorker(options: PoolOptions): PoolWorker {
  let kept: Kept | undefined
  let isIdle = false
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
      await giveBack(kept, isIdle)
    },
    on: (event, listener) => {
      listeners.push([event, listener])
      process().on(event, listener)
    },
    off: (event, listener) => process().off(event, listener),
    send: (message) => {
      if (message.type !== 'stop') return process().send(message)
      // The process is not told that the run has ended: it would forget what it has imported.
      isIdle = true
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
