// Workers of this process: they take jobs, run them and report how they ended.
import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  completeJob,
  failJob,
  giveBackJob,
  type Lease,
  type LeasedJob,
  renewLeases,
  takeJob,
  takeOverJobs,
} from './job-leases.ts'
import type { JobName, RawSql } from './jobs.ts'

/**
 * How often each worker polls, ms. Workers are woken after commits and by the check of due jobs; polls of all of them
 * every two seconds kept an idle server busy.
 */
const POLL_MS = 60_000
/** How long a stopping process waits for its jobs before it gives them back, ms. */
const GRACE_MS = 2000
/** Renewals in the time of a lease. */
const RENEWALS = 6
/** Renewals in a row that must succeed before leases of others are judged: after an outage of the database all have ended. */
const TRUSTED = 3
/** Waits between reports to a database that does not answer, ms. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS] = [250, 5000]

interface WorkerPorts {
  readonly raw: RawSql
  readonly onError: (error: Error) => void
  /** A job whose process dies runs again about this many seconds later. */
  readonly leaseSeconds: number
}

type Handler = (job: LeasedJob) => Promise<void>

export interface JobWorkers {
  /** Adds one worker. A job that throws is retried later. */
  add(name: JobName, handler: Handler): void
  /** Takes jobs of this kind now, if there are any. */
  wake(name: JobName): void
  /** Takes no more jobs; running ones continue. */
  rest(): void
  /** Waits shortly for running jobs, and gives the rest back. */
  stop(): Promise<void>
}

/** A wait that can be ended; one that was ended before it began does not wait. */
function createAlarm() {
  let isWoken = false
  let ring = () => undefined as void
  return {
    reset() {
      isWoken = false
    },
    wake() {
      isWoken = true
      ring()
    },
    async wait(ms: number) {
      if (isWoken) return
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        ring = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
  }
}
type Alarm = ReturnType<typeof createAlarm>

/** @throws when the work takes longer; it goes on then, without a report */
async function within(seconds: number, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>()
  const late = () => reject(new Error(`the job ran longer than ${seconds} s`))
  const timer = setTimeout(late, seconds * 1000)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Runs jobs and reports how they ended. */
function createRuns({ raw, onError }: WorkerPorts) {
  const running = new Set<Lease>()
  const stopping = createAlarm()
  let isStopping = false

  /** Reports an end until the database has it. A report whose reply was lost changes nothing the second time. */
  async function report(what: () => Promise<void>, seconds: number): Promise<void> {
    const last = performance.now() + seconds * 1000
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      try {
        return await what()
      } catch (error) {
        if (wait === FIRST_WAIT_MS) onError(error as Error)
        if (isStopping || performance.now() > last) return
      }
      await stopping.wait(wait)
    }
  }
  return {
    running,
    async run(job: LeasedJob, handler: Handler): Promise<void> {
      const { expiry } = job
      running.add(job)
      try {
        await within(expiry, handler(job))
        await report(() => completeJob(raw, job), expiry)
      } catch (error) {
        // What fails because its process stops is no failure of the job.
        await report(() => (isStopping ? giveBackJob(raw, job) : failJob(raw, job, error)), expiry)
      } finally {
        running.delete(job)
      }
    },
    /** From now on jobs that fail are given back. */
    beginStop() {
      isStopping = true
      stopping.wake()
    },
    async giveBack() {
      for (const it of running) await giveBackJob(raw, it).catch(onError)
    },
  }
}

export function openWorkers(ports: WorkerPorts): JobWorkers {
  const { raw, onError, leaseSeconds } = ports
  const runs = createRuns(ports)
  const alarms = new Map<JobName, Alarm[]>()
  const loops: Promise<void>[] = []
  const rested = new AbortController()
  const wake = (name: JobName) => alarms.get(name)?.forEach((it) => it.wake())
  const leases = keepLeases(ports, runs.running, wake)
  const rest = () => {
    rested.abort()
    for (const name of alarms.keys()) wake(name)
  }
  async function take(name: JobName): Promise<LeasedJob | undefined> {
    try {
      return await takeJob(raw, { name, run: randomUUID() }, leaseSeconds)
    } catch (error) {
      if (!rested.signal.aborted) onError(error as Error)
      return undefined
    }
  }
  async function work(name: JobName, alarm: Alarm, handler: Handler): Promise<void> {
    while (!rested.signal.aborted) {
      alarm.reset()
      const job = await take(name)
      if (job) {
        await runs.run(job, handler)
        // PGlite runs in this thread: without this turn, requests would wait until the end of a chain of jobs.
        await nextTurn()
      } else if (!rested.signal.aborted) await alarm.wait(POLL_MS)
    }
  }
  return {
    add(name, handler) {
      const alarm = createAlarm()
      alarms.set(name, [...(alarms.get(name) ?? []), alarm])
      loops.push(work(name, alarm, handler))
      leases.begin()
    },
    wake,
    rest,
    async stop() {
      rest()
      runs.beginStop()
      const grace = createAlarm()
      void Promise.all(loops).then(grace.wake)
      await grace.wait(GRACE_MS)
      await runs.giveBack()
      await leases.end()
    },
  }
}

/** Renews the leases of `running`, and takes over the jobs of processes that no longer do. */
function keepLeases(
  { raw, onError, leaseSeconds }: WorkerPorts,
  running: ReadonlySet<Lease>,
  wake: (name: JobName) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let [hasBegun, hasEnded] = [false, false]
  let current: Promise<void> = Promise.resolve()
  let succeeded = 0

  async function renew(): Promise<void> {
    try {
      await renewLeases(raw, [...running], leaseSeconds)
      succeeded += 1
      if (succeeded > TRUSTED)
        for (const { name, state } of await takeOverJobs(raw)) {
          const next = state === 'retry' ? 'runs again' : 'has failed'
          onError(new Error(`the worker of a job (${name}) ended before it: the job ${next}`))
          wake(name)
        }
    } catch (error) {
      succeeded = 0
      if (!hasEnded) onError(error as Error)
    }
    if (!hasEnded) schedule()
  }
  function schedule(): void {
    timer = setTimeout(
      () => {
        current = renew()
      },
      (leaseSeconds * 1000) / RENEWALS,
    )
  }
  return {
    begin() {
      if (!hasBegun) schedule()
      hasBegun = true
    },
    async end() {
      hasEnded = true
      clearTimeout(timer)
      await current
    },
  }
}
