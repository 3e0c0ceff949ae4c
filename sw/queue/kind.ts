// The interface of a kind of job: its rules, and how each step is performed.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import type { CommonEvent, FileEvent } from './events.ts'
import type { Outcome, Services } from './ports.ts'
import type { Retrying } from './waits.ts'

/** The fields that the runner reads of every job. */
export interface AnyJob extends Retrying {
  readonly kind: string
  readonly id: string
  readonly ownerId: string
  readonly stage: { readonly is: string; readonly code?: string }
  readonly files?: readonly JobFile[]
}

export type Wait = { do: 'wait'; for: 'time'; until: number } | { do: 'wait'; for: 'person' }

/** A step: `do` is its name, `fileId` the file that it sends or removes. */
export interface WorkStep {
  readonly do: string
  readonly fileId?: string
}

/** What a step may use while it is performed. */
export interface StepContext<J, E> {
  readonly services: Services
  /** Aborts when the step is no longer wanted. */
  readonly signal: AbortSignal
  /** Applies an event to the stored job and returns the result; undefined when the job was deleted. */
  record(event: E | CommonEvent): Promise<J | undefined>
  /**
   * Applies an event of a file to the stored job, also after its kind has changed. A preupload that is submitted becomes
   * a post while its file is being sent, and the same step continues.
   */
  recordFile(event: FileEvent): Promise<void>
  /** Records an outcome that the step does not handle: no answer, a refusal, a refused session. */
  conclude(end: Outcome<unknown>): Promise<void>
}

/** @typeParam J the job's row; S its steps; E its own events */
export interface Kind<J extends AnyJob, S extends WorkStep | Wait, E extends { type: string }> {
  is(this: void, job: AnyJob): job is J
  /** Pure; `now` in ms since 1970. */
  nextStep(this: void, job: J, now: number): S
  /** Pure; returns the same object when nothing changes. */
  apply(this: void, job: J, event: E | CommonEvent): J
  perform(this: void, job: J, step: Exclude<S, Wait>, context: StepContext<J, E>): Promise<void>
  /** Jobs of this kind are sent only while no other job can be. */
  readonly isBackground?: true
  /** The notice about a failed job; a kind without it shows none. */
  readonly failureNotice?: (this: void, job: J) => DeliveryNotice
}

/** Changes the stored job and returns the result; undefined when the job was deleted. */
export type ChangeJob<All> = (change: (job: All) => All) => Promise<All | undefined>

/** What the runner passes to a step. */
export interface Run<All> extends Omit<StepContext<All, CommonEvent>, 'record'> {
  readonly change: ChangeJob<All>
}

/** The next thing to do for a job. */
export type Plan<All> = Wait | { do: 'work'; step: WorkStep; perform(run: Run<All>): Promise<void> }

/** A kind as the runner of a queue over `All` uses it. */
export interface BoundKind<All> {
  /** The next thing to do; undefined for a job of another kind. */
  plan(job: All, now: number): Plan<All> | undefined
  /** Applies an event to a job; a job of another kind stays as it is. */
  apply(job: All, event: CommonEvent): All
  failureNotice(job: All): DeliveryNotice | undefined
  readonly isBackground: boolean
}

/** Makes a kind usable in a queue whose jobs are of several kinds. */
export function bindKind<
  All extends AnyJob,
  J extends All,
  S extends WorkStep | Wait,
  E extends { type: string },
>(kind: Kind<J, S, E>): BoundKind<All> {
  const isWork = (step: S | Wait): step is Exclude<S, Wait> => step.do !== 'wait'
  const apply = (job: All, event: E | CommonEvent): All => (kind.is(job) ? kind.apply(job, event) : job)
  return {
    plan(job, now) {
      if (!kind.is(job)) return undefined
      const step: S | Wait = kind.nextStep(job, now)
      if (!isWork(step)) return step as Wait
      return {
        do: 'work',
        step,
        perform: ({ change, ...run }) =>
          kind.perform(job, step, {
            ...run,
            async record(event) {
              const next = await change((stored) => apply(stored, event))
              return next && kind.is(next) ? next : undefined
            },
          }),
      }
    },
    apply,
    failureNotice: (job) => (kind.is(job) ? kind.failureNotice?.(job) : undefined),
    isBackground: kind.isBackground ?? false,
  }
}
