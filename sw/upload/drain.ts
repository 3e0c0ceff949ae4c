// The only loop: take the lock, ask the machine for the next step, do it through a port, apply what happened, save, repeat.
import type { Job } from '#device/schema.ts'
import { apply, type QueueEvent } from './machine.ts'
import { nextStep, type Step } from './next-step.ts'
import type { Outcome, Ports, Told } from './ports.ts'

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

  const wake = () => {
    again = true
    bell.abort()
    if (step) void stopIfUnwanted(world, step)
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
      try {
        await perform(world, next.job, next.step, stop.signal)
      } finally {
        step = undefined
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
      run ??= ports.lock(loop).finally(() => {
        run = undefined
        halting = false
      })
      return run
    },
    nudge: async () => {
      const session = await ports.store.session()
      if (!session) return
      for (const job of await ports.store.jobs(session.user.id)) await save(world, job.id, { type: 'nudged' })
      wake()
    },
  }
}

type Choice = { is: 'step'; job: Job; step: Step } | { is: 'until'; at: number } | { is: 'idle' }

/** The first thing to do over all jobs of the signed-in person, oldest first. */
async function choose({ ports, machine }: World): Promise<Choice> {
  const session = await ports.store.session()
  if (!session) return { is: 'idle' }
  let until: number | undefined
  for (const job of await ports.store.jobs(session.user.id)) {
    const step = machine.nextStep(job.facts, ports.clock.now())
    if (step.do !== 'wait') return { is: 'step', job, step }
    if (step.for === 'time') until = Math.min(until ?? step.until, step.until)
  }
  return until === undefined ? { is: 'idle' } : { is: 'until', at: until }
}

function save({ ports, machine }: World, jobId: string, event: QueueEvent): Promise<Job | undefined> {
  // An offset can be asked for again; what else happened cannot.
  const durability = event.type === 'accepted' ? 'relaxed' : 'strict'
  return ports.store.changeFacts(jobId, (facts) => machine.apply(facts, event), durability)
}

async function perform(world: World, job: Job, step: Step, signal: AbortSignal): Promise<void> {
  const { ports } = world
  const tell = (event: QueueEvent) => save(world, job.id, event)
  switch (step.do) {
    case 'send': {
      const { mediaId } = step
      const told: Told = async (said) => {
        if ('url' in said) await tell({ type: 'created', mediaId, url: said.url })
        else await tell({ type: 'accepted', mediaId, offset: said.offset })
      }
      const end = await ports.api.send(job, mediaId, told, signal)
      if (end.is === 'gone') await tell({ type: 'gone', mediaId })
      else if (end.is === 'refused') await tell({ type: 'refused', mediaId, code: end.code })
      else await settle(world, job, end)
      return
    }
    case 'discard': {
      const end = await ports.api.discard(job, step.mediaId, signal)
      if (end.is === 'ok' || end.is === 'gone') await tell({ type: 'discarded', mediaId: step.mediaId })
      else await settle(world, job, end)
      return
    }
    case 'addPost': {
      // From here on the server may have the post whether or not its answer arrives.
      const current = await tell({ type: 'addTried' })
      if (!current?.facts.addTried || current.facts.ending.is !== 'open') return
      const end = await ports.api.addPost(job, signal)
      if (end.is === 'ok') await tell({ type: 'postAdded', ...end.value })
      else await settle(world, job, end)
      return
    }
    case 'release': {
      const end = await ports.api.release(job, step.postId, signal)
      if (end.is === 'ok') await tell({ type: 'released', at: ports.clock.now() })
      else await settle(world, job, end)
      return
    }
    case 'withdraw': {
      const end = await ports.api.withdraw(job, step.postId, signal)
      if (end.is === 'ok' || end.is === 'gone') await tell({ type: 'withdrawn' })
      else if (end.is === 'refused' && end.code === 'conflict') {
        await tell({ type: 'withdrawDenied', at: ports.clock.now() })
      } else await settle(world, job, end)
      return
    }
    case 'finish':
      return ports.store.finish(job, step.postId, step.at)
    case 'drop':
      return ports.store.drop(job.id)
    case 'wait':
      return
    default:
      step satisfies never
  }
}

/** What every step does with the ends that are not its own. */
async function settle(world: World, job: Job, end: Outcome<unknown>): Promise<void> {
  const { ports } = world
  const tell = (event: QueueEvent) => save(world, job.id, event)
  switch (end.is) {
    case 'ok':
    case 'stopped':
    case 'signedOut':
      return
    case 'lost': {
      const retryAfter = end.retryAfter === undefined ? {} : { retryAfter: end.retryAfter }
      await tell({ type: 'lost', at: ports.clock.now(), jitter: ports.clock.random(), ...retryAfter })
      return
    }
    case 'gone':
      await tell({ type: 'refused', code: 'not_found' })
      return
    case 'refused':
      await tell({ type: 'refused', code: end.code, ...(end.fields ? { fields: end.fields } : {}) })
      return
    case 'digestDiffers':
      await tell({ type: 'digestDiffered', mediaIds: end.mediaIds })
      return
    case 'uploadsDenied':
      await tell({ type: 'uploadsDenied' })
      return
    default:
      end satisfies never
  }
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
  // What runs already is not stopped by a wait that a progress of its own is about to end.
  const job = (await ports.store.jobs(step.ownerId)).find((it) => it.id === step.jobId)
  if (!job) return step.stop.abort()
  const wanted = machine.nextStep({ ...job.facts, wait: { until: 0, told: false } }, ports.clock.now())
  if (step.key.startsWith('send') && keyOf(wanted) !== step.key) step.stop.abort()
}
