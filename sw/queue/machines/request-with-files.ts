// The machine of identity checks and messages: files first, then one request. Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { RequestJob } from '#device/jobs/job-rows.ts'
import { noFailures } from '#device/jobs/new-files.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import { applyRetry, isWaiting, progressed } from '#sw/queue/waits.ts'
import * as files from './files.ts'

export type RequestEvent =
  | CommonEvent
  /** The request is about to be sent. */
  | { type: 'requested' }
  /** `id`: the server's name for what the request made. */
  | { type: 'delivered'; id: string; at: number }

export type RequestStep =
  | files.FileStep
  /** Every file is on the server: sends the request. */
  | { do: 'submit' }
  /** The request is acknowledged: the device may delete the job. */
  | { do: 'finish'; id: string; at: number }
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** The next step; `now` in ms since 1970. */
export function nextStep(job: RequestJob, now: number): RequestStep {
  const { stage } = job
  if (stage.is === 'failed') return { do: 'wait', for: 'person' }
  if (stage.is === 'delivered') return { do: 'finish', id: stage.id, at: stage.at }
  // The server removes what an unreachable one could not by itself after 7 days.
  if (stage.is === 'cancelled' && job.attempts > RETRY_DELAYS.length) return { do: 'drop' }
  if (isWaiting(job, now)) return { do: 'wait', for: 'time', until: job.wait.until }
  const discard = files.nextDiscard(job)
  if (discard) return discard
  if (stage.is === 'cancelled') return { do: 'drop' }
  const send = files.nextSend(job)
  if (send) return send
  return files.areSent(job) ? { do: 'submit' } : { do: 'wait', for: 'person' }
}

/** Whether the person can cancel the job: no request is under way that may take effect. */
export const canCancel = ({ stage }: RequestJob): boolean => stage.is === 'open' || stage.is === 'failed'

/** Applies an event to a job. A late event changes nothing and returns the same object. */
export function apply<J extends RequestJob>(job: J, event: RequestEvent): J {
  switch (job.stage.is) {
    case 'open':
    case 'requested':
      return applyLive(job, event)
    case 'failed':
      return applyFailed(job, event)
    case 'cancelled':
      return files.applyCleanup(job, event)
    case 'delivered':
      return job
    default:
      return job.stage satisfies never
  }
}

function applyLive<J extends RequestJob>(job: J, event: RequestEvent): J {
  switch (event.type) {
    case 'created':
    case 'accepted':
    case 'discarded':
    case 'fileRefused':
      return failedIfStuck(files.applyFile(job, event))
    case 'gone':
      return files.resend(job, [event.fileId], 'gone') ?? failed(job, 'gone')
    case 'digestDiffered':
      return reopened(job, files.resend(job, event.fileIds, 'digest')) ?? failed(job, 'digest_mismatch')
    case 'uploadsDenied':
      return reopened(job, files.denied(job)) ?? failed(job, 'upload_incomplete')
    case 'requested':
      return job.stage.is === 'open' ? { ...job, stage: { is: 'requested' } } : job
    case 'delivered':
      return { ...job, stage: { is: 'delivered', id: event.id, at: event.at } }
    case 'refused': {
      const { code, fields } = event
      return { ...job, stage: { is: 'failed', code, ...(fields && { fields }) } }
    }
    case 'lost':
    case 'tokenRefused':
    case 'nudged':
    case 'hurried':
      return applyRetry(job, event)
    case 'paused':
    case 'resumed':
      return files.pause(job, event.fileId, event.type === 'paused')
    case 'retried':
      return event.fileId === undefined ? job : files.retryRefused(job, event.fileId)
    case 'cancelled':
      return canCancel(job) ? cancelled(job) : job
    // The request is for all files: none can be taken out.
    case 'fileCancelled':
      return job
    default:
      return event satisfies never
  }
}

function applyFailed<J extends RequestJob>(job: J, event: RequestEvent): J {
  if (event.type === 'cancelled') return cancelled(job)
  if (event.type !== 'retried') return job
  const again = files.withoutResends({ ...job, stage: { is: 'open' } as const })
  return files.requestOffsets(progressed(files.retryRefused(again, event.fileId)))
}

/** Opens a changed job again: the request is repeated after its files. */
const reopened = <J extends RequestJob>(job: J, next: J | undefined): J | undefined =>
  next === job || !next ? next : { ...next, stage: { is: 'open' } }

const failed = <J extends RequestJob>(job: J, code: FailureCode): J => ({
  ...job,
  stage: { is: 'failed', code },
})

function failedIfStuck<J extends RequestJob>(job: J): J {
  const code = files.stuckCode(job)
  return code ? failed(job, code) : job
}

const cancelled = <J extends RequestJob>(job: J): J => ({
  ...job,
  files: files.discardAll(job.files),
  stage: { is: 'cancelled' },
  ...noFailures,
})
