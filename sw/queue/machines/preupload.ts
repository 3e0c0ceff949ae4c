// The machine of a preupload: its files are sent, and nothing else. Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import type { Preupload } from '#device/jobs/job-rows.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import { applyRetry, isWaiting } from '#sw/queue/waits.ts'
import * as files from './files.ts'

export type PreuploadEvent = CommonEvent

export type PreuploadStep =
  | files.FileStep
  /** The draft was discarded, and with it everything on the server. */
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** The next step; `now` in ms since 1970. */
export function nextStep(job: Preupload, now: number): PreuploadStep {
  const { stage } = job
  if (stage.is === 'failed') return { do: 'wait', for: 'person' }
  // The server removes what an unreachable one could not by itself after 7 days.
  if (stage.is === 'cancelled' && job.attempts > RETRY_DELAYS.length) return { do: 'drop' }
  if (isWaiting(job, now)) return { do: 'wait', for: 'time', until: job.wait.until }
  const discard = files.nextDiscard(job)
  if (discard) return discard
  if (stage.is === 'cancelled') return { do: 'drop' }
  return files.nextSend(job) ?? { do: 'wait', for: 'person' }
}

/** Applies an event to a preupload. A late event changes nothing and returns the same object. */
export function apply(job: Preupload, event: PreuploadEvent): Preupload {
  switch (job.stage.is) {
    case 'open':
      return applyLive(job, event)
    case 'cancelled':
      return files.applyCleanup(job, event)
    // Its submission sends the files again.
    case 'failed':
      return job
    default:
      return job.stage satisfies never
  }
}

function applyLive(job: Preupload, event: PreuploadEvent): Preupload {
  switch (event.type) {
    case 'created':
    case 'accepted':
    case 'discarded':
    case 'fileRefused':
      return failedIfStuck(files.applyFile(job, event))
    case 'gone':
      return files.resend(job, [event.fileId], 'gone') ?? failed(job, 'gone')
    case 'digestDiffered':
      return files.resend(job, event.fileIds, 'digest') ?? failed(job, 'digest_mismatch')
    case 'uploadsDenied':
      return files.denied(job) ?? failed(job, 'upload_incomplete')
    case 'refused':
      return failed(job, event.code)
    case 'lost':
    case 'tokenRefused':
    case 'nudged':
    case 'hurried':
      return applyRetry(job, event)
    case 'paused':
    case 'resumed':
      return files.pause(job, event.fileId, event.type === 'paused')
    // The editor changes a preupload with its draft (device/jobs/preupload.ts).
    case 'retried':
    case 'fileCancelled':
    case 'cancelled':
      return job
    default:
      return event satisfies never
  }
}

const failed = (job: Preupload, code: FailureCode): Preupload => ({ ...job, stage: { is: 'failed', code } })

function failedIfStuck(job: Preupload): Preupload {
  const code = files.stuckCode(job)
  return code ? failed(job, code) : job
}
