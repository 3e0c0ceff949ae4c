// The only loop: take the lock, ask the machine for the next step, do it through a port, apply what happened, save, repeat.
import type { JobFacts, Queued } from '#device/database/schema.ts'
import { type Failure, failureBetween } from './failures.ts'
import { failureNotice, filesOf, postOf, titleOf, wholeOf } from './kinds.ts'
import { eventOf } from './ends.ts'
import { apply, type QueueEvent } from './machine.ts'
import { nextStep, type Step } from './next-step.ts'
import { knowsOffline, sendWhole } from './requests/one-request.ts'
import type { Outcome, Ports, Told } from './ports.ts'
import { say } from './say.ts'

export interface Runner {
  /** Runs until nothing is left that could go on by itself. Callers share one run. */
  drain(): Promise<void>
  /** Something changed: look again, and stop a step whose job no longer wants it. */
  wake(): void
  /** The network or the person is back: try waiting jobs now. */
  nudge(): Promise<void>
  /** Stops the run after the step in hand, which is broken off; nothing of it is lost. */
  halt(): void
  /** Whether a run is under way. */
  running(): boolean
}

/** The rules a runner goes by; the simulation passes broken ones to see them caught. */
export interface Machine {
  apply: typeof apply
  nextStep: typeof nextStep
}

const sound: Machine = { apply, nextStep }

interface World {
  ports: Ports
  machine: Machine
}

/** Makes the runner of this context on its ports. */
export function makeRunner(ports: Ports, machine: Machine = sound): Runner {
  const world: World = { ports, machine }
  let run: Promise<void> | undefined
  let again = false
  let halting = false
  let bell = new AbortController()
  let step: { jobId: string; ownerId: string; key: string; stop: AbortController } | undefined

  // What cannot be read now is looked at with the next change.
  const look = () => void (step && stopIfUnwanted(world, step).catch(() => undefined))
  const wake = () => {
    again = true
    bell.abort()
    look()
  }

  async function loop(): Promise<void> {
    for (;;) {
      if (halting) return
      again = false
      bell = new AbortController()
      const next = await choose(world)
      if (next.is === 'idle') {
        if (again) continue
        return
      }
      if (next.is === 'until') {
        await ports.clock.sleep(next.at, bell.signal)
        continue
      }
      if (halting) return
      const stop = new AbortController()
      step = { jobId: next.job.id, ownerId: next.job.ownerId, key: keyOf(next.step), stop }
      if (next.until !== undefined) void ports.clock.sleep(next.until, stop.signal).then(look)
      try {
        await perform(world, next.job, next.step, stop.signal)
      } finally {
        step = undefined
        stop.abort()
      }
    }
  }

  return {
    wake,
    running: () => run !== undefined,
    halt: () => {
      halting = run !== undefined
      bell.abort()
      step?.stop.abort()
    },
    drain: () => {
      again = true
      bell.abort()
      // The page that changed something may have ended before it could say so.
      look()
      run ??= ports.lock(loop).finally(() => {
        run = undefined
        halting = false
      })
      return run
    },
    nudge: async () => {
      const session = await ports.store.session()
      if (!session) return
      for (const job of await ports.store.deliveries(session.user.id))
        await save(world, job.id, { type: 'nudged' })
      wake()
    },
  }
}

type Choice =
  /** `until` when a delivery ahead of this one wants its turn back, ms since 1970. */
  | { is: 'step'; job: Queued; step: Step; until: number | undefined }
  | { is: 'until'; at: number }
  | { is: 'idle' }

/** The first thing to do over all deliveries of the signed-in person, in their order. */
async function choose({ ports, machine }: World): Promise<Choice> {
  const session = await ports.store.session()
  if (!session) return { is: 'idle' }
  let until: number | undefined
  for (const job of await ports.store.deliveries(session.user.id)) {
    const step = machine.nextStep(job.facts, ports.clock.now())
    if (step.do !== 'wait') return { is: 'step', job, step, until }
    if (step.for === 'time') until = Math.min(until ?? step.until, step.until)
  }
  return until === undefined ? { is: 'idle' } : { is: 'until', at: until }
}

async function save(
  { ports, machine }: World,
  jobId: string,
  event: QueueEvent,
): Promise<Queued | undefined> {
  // An offset can be asked for again; what else happened cannot.
  const durability = event.type === 'accepted' ? 'relaxed' : 'strict'
  let failure: Failure = { ended: false, codes: [] }
  const change = (facts: JobFacts) => {
    const next = machine.apply(facts, event)
    failure = failureBetween(facts, next)
    return next
  }
  const job = await ports.store.changeFacts(jobId, change, durability)
  if (failure.codes.length > 0) console.error('Upload error!', jobId, ...failure.codes)
  const notice = failure.ended && job?.form ? failureNotice(job) : undefined
  if (notice) await say(ports, notice)
  return job
}

async function perform(world: World, job: Queued, step: Step, signal: AbortSignal): Promise<void> {
  const { ports } = world
  const tell = (event: QueueEvent) => save(world, job.id, event)
  switch (step.do) {
    case 'send': {
      const { mediaId } = step
      const told: Told = async (said) => {
        if ('url' in said) await tell({ type: 'created', mediaId, url: said.url })
        else await tell({ type: 'accepted', mediaId, offset: said.offset })
      }
      const end = await ports.api.send(filesOf(job), mediaId, told, signal)
      if (end.is === 'gone') await tell({ type: 'gone', mediaId })
      else if (end.is === 'refused') await tell({ type: 'refused', mediaId, code: end.code })
      else await settle(world, job, end)
      return
    }
    case 'discard': {
      const end = await ports.api.discard(filesOf(job), step.mediaId, signal)
      const dropped = job.facts.media.some((it) => it.id === step.mediaId && it.dropped)
      // What the server will not remove for us it removes by itself after 7 days: no post waits for that.
      if (end.is === 'ok' || end.is === 'gone' || (end.is === 'refused' && dropped))
        await tell({ type: 'discarded', mediaId: step.mediaId })
      else await settle(world, job, end)
      return
    }
    case 'addPost': {
      // From here on the server may have the post whether or not its answer arrives.
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(postOf(job), signal)
      if (end.is === 'ok') await tell({ type: 'postAdded', ...end.value })
      // Another copy of this device took the post back.
      else if (end.is === 'gone') await tell({ type: 'refused', code: 'gone' })
      else await settle(world, job, end)
      return
    }
    case 'release': {
      const end = await ports.api.release(postOf(job), step.postId, signal)
      if (end.is === 'ok') await tell({ type: 'released', at: ports.clock.now() })
      else if (end.is === 'gone') await tell({ type: 'postGone' })
      else await settle(world, job, end)
      return
    }
    case 'deliver': {
      if (knowsOffline(ports, job)) return settle(world, job, { is: 'lost' })
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await sendWhole(ports.api, job, signal)
      if (end.is === 'ok') await tell({ type: 'delivered', id: end.value.id, at: ports.clock.now() })
      else await settle(world, job, end)
      return
    }
    case 'settle': {
      const whole = wholeOf(job)
      await ports.store.finish(whole, step.id, step.at)
      if (whole.kind === 'identity') await say(ports, { is: 'identitySent', jobId: whole.id })
      return
    }
    case 'withdraw': {
      const end = await ports.api.withdraw(postOf(job), step.postId, signal)
      if (end.is === 'ok' || end.is === 'gone') await tell({ type: 'withdrawn' })
      else if (end.is === 'refused' && end.code === 'conflict') {
        await tell({ type: 'withdrawDenied', at: ports.clock.now() })
      } else await settle(world, job, end)
      return
    }
    case 'finish': {
      const post = postOf(job)
      await ports.store.finish(post, step.postId, step.at)
      await say(ports, { is: 'published', jobId: post.id, title: titleOf(post), postId: step.postId })
      return
    }
    case 'drop':
      return ports.store.drop(job.id)
    case 'wait':
      return
    default:
      step satisfies never
  }
}

/** What every step does with the ends that are not its own. */
async function settle(world: World, job: Queued, end: Outcome<unknown>): Promise<void> {
  const { ports } = world
  const event = eventOf(end, ports.clock)
  if (event) await save(world, job.id, event)
  // With another person signed in it is nobody's business here.
  if (end.is === 'signedOut' && job.form && job.kind !== 'act' && !(await ports.store.session()))
    await say(ports, { is: 'signedOut', jobId: job.id })
}

function keyOf(step: Step): string {
  return 'mediaId' in step ? `${step.do} ${step.mediaId}` : step.do
}

/** Stops the running step when its person left, or its job would no longer take it (paused, cancelled, gone). */
async function stopIfUnwanted(
  { ports, machine }: World,
  step: { jobId: string; ownerId: string; key: string; stop: AbortController },
): Promise<void> {
  const session = await ports.store.session()
  if (session?.user.id !== step.ownerId) return step.stop.abort()
  const all = await ports.store.deliveries(step.ownerId)
  const job = all.find((it) => it.id === step.jobId)
  if (!job) return step.stop.abort()
  if (!step.key.startsWith('send')) return
  // What runs already is not stopped by a wait that a progress of its own is about to end.
  const wanted = machine.nextStep({ ...job.facts, wait: { until: 0, told: false } }, ports.clock.now())
  if (keyOf(wanted) !== step.key) return step.stop.abort()
  // What is sent early gives way to every post that was submitted.
  const waits = (it: Queued) => machine.nextStep(it.facts, ports.clock.now()).do === 'wait'
  if (!job.form && all.some((it) => it.form && !waits(it))) step.stop.abort()
}
