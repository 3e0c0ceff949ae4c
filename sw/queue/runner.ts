// Runs a queue: chooses the next step, performs it and records the result.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import { isOutdated } from '#device/database/database-state.ts'
import { eventOf } from './ends.ts'
import type { CommonEvent } from './events.ts'
import { type Failure, failureBetween } from './failures.ts'
import type { AnyJob, BoundKind, Plan, WorkStep } from './kind.ts'
import type { Outcome, Ports } from './ports.ts'
import { showNotice } from './show-notice.ts'
import { noWait } from './waits.ts'

export interface Runner {
  /** Runs until no job can continue by itself. Callers share one run. */
  drain(): Promise<void>
  /** Reads the jobs again after a change, and stops a step that is no longer wanted. */
  wake(): void
  /** Tries waiting jobs now: the network or the person is back. */
  nudge(): Promise<void>
  /** Stops the run and aborts its current step, whose stored progress stays. */
  halt(): void
  /** Whether a run is under way. */
  running(): boolean
}

interface Queue<All> {
  ports: Ports<All>
  kinds: readonly BoundKind<All>[]
}

/** The step that is being performed. */
interface Running {
  jobId: string
  ownerId: string
  step: WorkStep
  stop: AbortController
}

/** The state that a run shares with calls of its runner. */
interface RunState {
  /** A change came after the jobs were last read. */
  isStale: boolean
  isHalting: boolean
  /** Aborts to end a wait. */
  waitAbort: AbortController
  current: Running | undefined
}

/**
 * Makes the runner of one queue.
 * @param kinds every kind of job that the queue's store may hold
 */
export function createRunner<All extends AnyJob>(
  ports: Ports<All>,
  kinds: readonly BoundKind<All>[],
): Runner {
  const queue: Queue<All> = { ports, kinds }
  const state: RunState = {
    isStale: false,
    isHalting: false,
    waitAbort: new AbortController(),
    current: undefined,
  }
  let run: Promise<void> | undefined
  const wake = () => {
    state.isStale = true
    state.waitAbort.abort()
    checkCurrentStep(queue, state)
  }
  return {
    wake,
    running: () => run !== undefined,
    halt: () => {
      state.isHalting = run !== undefined
      state.waitAbort.abort()
      state.current?.stop.abort()
    },
    drain: () => {
      // The page that made a change may have closed before it reported the change.
      wake()
      run ??= ports
        .lock(() => loop(queue, state))
        .finally(() => {
          run = undefined
          state.isHalting = false
        })
      return run
    },
    nudge: async () => {
      await nudgeAll(queue)
      wake()
    },
  }
}

async function loop<All extends AnyJob>(queue: Queue<All>, state: RunState): Promise<void> {
  for (;;) {
    if (state.isHalting) return
    state.isStale = false
    state.waitAbort = new AbortController()
    const next = await choose(queue)
    if (next.is === 'idle') {
      if (state.isStale) continue
      return
    }
    if (next.is === 'until') {
      await queue.ports.clock.sleep(next.at, state.waitAbort.signal)
      continue
    }
    if (state.isHalting) return
    await performStep(queue, state, next)
  }
}

async function performStep<All extends AnyJob>(
  queue: Queue<All>,
  state: RunState,
  { job, plan, until }: Extract<Choice<All>, { is: 'step' }>,
): Promise<void> {
  const { ports } = queue
  const stop = new AbortController()
  state.current = { jobId: job.id, ownerId: job.ownerId, step: plan.step, stop }
  if (until !== undefined)
    void ports.clock.sleep(until, stop.signal).then(() => checkCurrentStep(queue, state))
  try {
    await plan.perform({
      services: ports,
      signal: stop.signal,
      change: (change) => changeJob(queue, job.id, change),
      recordFile: (event) => recordEvent(queue, job.id, event),
      conclude: (end) => conclude(queue, job, end),
    })
  } finally {
    state.current = undefined
    stop.abort()
  }
}

/**
 * Stops the current step if it is no longer wanted. A failed read is repeated at the next change. With a database that a
 * newer version of the app has upgraded every read fails: this page can neither notice that the person signs out nor
 * record the reply, so the step is stopped and a page of the newer version continues.
 */
function checkCurrentStep<All extends AnyJob>(queue: Queue<All>, { current }: RunState): void {
  if (!current) return
  stopIfUnwanted(queue, current).catch((error: unknown) => {
    if (isOutdated(error)) current.stop.abort()
  })
}

/** Ends every wait of the signed-in person's jobs that the server did not request. */
async function nudgeAll<All extends AnyJob>(queue: Queue<All>): Promise<void> {
  const { store } = queue.ports
  const session = await store.session()
  if (!session) return
  for (const { id } of await store.deliveries(session.user.id))
    await recordEvent(queue, id, { type: 'nudged' })
}

/** Applies an event to a stored job of any kind. */
async function recordEvent<All extends AnyJob>(
  queue: Queue<All>,
  jobId: string,
  event: CommonEvent,
): Promise<void> {
  const change = (job: All) => queue.kinds.reduce((next, kind) => kind.apply(next, event), job)
  // Of all that is stored, only an offset can be read from the server again.
  await changeJob(queue, jobId, change, event.type === 'accepted' ? 'relaxed' : 'strict')
}

/** The notice about a failed job; undefined for a kind without notices. */
function noticeOf<All>({ kinds }: Queue<All>, job: All): DeliveryNotice | undefined {
  for (const kind of kinds) {
    const notice = kind.failureNotice(job)
    if (notice) return notice
  }
  return undefined
}

type Choice<All> =
  /** `until`: when an earlier job that waits can continue, ms since 1970. */
  | {
      is: 'step'
      job: All
      plan: Extract<Plan<All>, { do: 'work' }>
      until: number | undefined
    }
  | { is: 'until'; at: number }
  | { is: 'idle' }

/** The first thing to do over all jobs of the signed-in person, in their order. */
async function choose<All extends AnyJob>({ ports, kinds }: Queue<All>): Promise<Choice<All>> {
  const session = await ports.store.session()
  if (!session) return { is: 'idle' }
  let until: number | undefined
  for (const job of await ports.store.deliveries(session.user.id)) {
    const planned = planOf(kinds, job, ports.clock.now())
    if (!planned) continue
    const { plan } = planned
    if (plan.do === 'work') return { is: 'step', job, plan, until }
    if (plan.for === 'time') until = Math.min(until ?? plan.until, plan.until)
  }
  return until === undefined ? { is: 'idle' } : { is: 'until', at: until }
}

function planOf<All>(kinds: readonly BoundKind<All>[], job: All, now: number) {
  for (const kind of kinds) {
    const plan = kind.plan(job, now)
    if (plan) return { kind, plan }
  }
  return undefined
}

/** Stores a change of a job; logs and shows the failures that it causes. */
async function changeJob<All extends AnyJob>(
  queue: Queue<All>,
  jobId: string,
  change: (job: All) => All,
  durability: 'strict' | 'relaxed' = 'strict',
): Promise<All | undefined> {
  const { ports } = queue
  let failure: Failure = { ended: false, codes: [] }
  const job = await ports.store.change(
    jobId,
    (stored) => {
      const next = change(stored)
      failure = failureBetween(stored, next)
      return next
    },
    durability,
  )
  if (failure.codes.length > 0) console.error('Upload error!', jobId, ...failure.codes)
  const notice = failure.ended && job ? noticeOf(queue, job) : undefined
  if (notice) await showNotice(ports, notice)
  return job
}

/** Records an outcome that the step does not handle itself. */
async function conclude<All extends AnyJob>(
  queue: Queue<All>,
  job: All,
  end: Outcome<unknown>,
): Promise<void> {
  const { ports } = queue
  const event = eventOf(end, ports.clock)
  if (event) await recordEvent(queue, job.id, event)
  // Another person who is signed in sees no notice about this owner's jobs.
  if (end.is === 'signedOut' && noticeOf(queue, job) && !(await ports.store.session()))
    await showNotice(ports, { is: 'signedOut', jobId: job.id })
}

/** Stops a step whose owner signed out or whose job is paused, cancelled or deleted. */
async function stopIfUnwanted<All extends AnyJob>(
  { ports, kinds }: Queue<All>,
  { jobId, ownerId, step, stop }: Running,
): Promise<void> {
  const session = await ports.store.session()
  if (session?.user.id !== ownerId) return stop.abort()
  const all = await ports.store.deliveries(ownerId)
  const job = all.find((it) => it.id === jobId)
  if (!job) return stop.abort()
  // Other requests are short, and the server may have performed them: the run waits for the reply.
  if (step.do !== 'send') return
  const now = ports.clock.now()
  // A wait does not stop a running upload: its next progress ends the wait.
  const wanted = planOf(kinds, { ...job, wait: noWait }, now)
  if (!wanted || !isSameStep(wanted.plan, step)) return stop.abort()
  if (!wanted.kind.isBackground) return
  const canRun = (it: All) => {
    const other = planOf(kinds, it, now)
    return other?.plan.do === 'work' && !other.kind.isBackground
  }
  if (all.some(canRun)) stop.abort()
}

const isSameStep = <All>(plan: Plan<All>, step: WorkStep): boolean =>
  plan.do === 'work' && plan.step.do === step.do && plan.step.fileId === step.fileId
