// The machine of a post: events and next step (specification sections 4, 7, 9). Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { FailureCode } from '#device/jobs/failure-code.ts'
import { remainingFiles, type JobFile } from '#device/jobs/file-row.ts'
import { addedPostOf, canDropFile, hasFilesInside, type PostJob } from '#device/jobs/job-rows.ts'
import { noFailures } from '#device/jobs/new-files.ts'
import type { CommonEvent } from '#sw/queue/events.ts'
import { applyRetry, isWaiting, progressed } from '#sw/queue/waits.ts'
import * as files from './files.ts'

export type PostEvent =
  | CommonEvent
  /** The request that adds the post is about to be sent. */
  | { type: 'requested' }
  | { type: 'postAdded'; postId: string; videoId: string | null }
  | { type: 'released'; at: number }
  /** The server no longer has the post that it added. */
  | { type: 'postGone' }
  /** The server has withdrawn the post, or has no such post. */
  | { type: 'withdrawn' }
  /** The server has released the post already: the reply to the release was lost. */
  | { type: 'withdrawDenied'; at: number }
  /** The server refuses to withdraw the post for another reason: the post stays there, unreleased. */
  | { type: 'withdrawRefused' }

export type PostStep =
  | files.FileStep
  | { do: 'addPost' }
  | { do: 'release'; postId: string }
  /** The release is acknowledged: the device may delete the job. */
  | { do: 'finish'; postId: string; at: number }
  /** Withdraws the added post before it is released. */
  | { do: 'withdraw'; postId: string }
  /** Cancelled and cleaned up: the device drops the job, and its draft stays. */
  | { do: 'drop' }
  | { do: 'wait'; for: 'time'; until: number }
  | { do: 'wait'; for: 'person' }

/** How often a post that the server no longer has is added again before the job fails. */
const MAX_READDS = 2

/** The legacy protocol: the post is added before its video is sent, and is deleted with it. */
const isLegacy = ({ protocol }: PostJob): boolean => protocol === 'chunked'

/**
 * The next step. Resumable protocol: every file, then the post, then its release. Legacy protocol: the post with its
 * images inside, then the video, then the release.
 * @param now milliseconds since 1970
 */
export function nextStep(job: PostJob, now: number): PostStep {
  const { stage } = job
  if (stage.is === 'failed') return { do: 'wait', for: 'person' }
  if (stage.is === 'released') return { do: 'finish', postId: stage.post.id, at: stage.at }
  if (stage.is === 'cancelled' && !stage.post && job.attempts > RETRY_DELAYS.length) return { do: 'drop' }
  if (isWaiting(job, now)) return { do: 'wait', for: 'time', until: job.wait.until }
  // A post is withdrawn however long that takes: the server holds its uploads, and the draft may need them again.
  if (stage.is === 'cancelled' && stage.post) return { do: 'withdraw', postId: stage.post.id }
  const discard = files.nextDiscard(job)
  if (discard) return discard
  // The server removes what an unreachable one could not by itself after 7 days.
  if (stage.is === 'cancelled') return { do: 'drop' }
  const send = files.nextSend(job)
  const areSent = files.areSent(job)
  if (isLegacy(job) && stage.is !== 'added' && (send || areSent)) return { do: 'addPost' }
  if (send) return send
  if (!areSent) return { do: 'wait', for: 'person' }
  return stage.is === 'added' ? { do: 'release', postId: stage.post.id } : { do: 'addPost' }
}

/** Whether the person can cancel the job: no request that may add the post is under way. */
export const canCancel = ({ stage }: PostJob): boolean =>
  stage.is === 'open' || stage.is === 'added' || stage.is === 'failed'

/** Applies an event to a post. A late event changes nothing and returns the same object. */
export function apply(job: PostJob, event: PostEvent): PostJob {
  switch (job.stage.is) {
    case 'open':
    case 'requested':
    case 'added':
      return applyLive(job, event)
    case 'failed':
      return applyFailed(job, event)
    case 'cancelled':
      return applyCancelled(job, event)
    case 'released':
      return job
    default:
      return job.stage satisfies never
  }
}

function applyLive(job: PostJob, event: PostEvent): PostJob {
  const { stage } = job
  switch (event.type) {
    case 'created':
    case 'accepted':
    case 'discarded':
    case 'fileRefused':
      return areFilesOver(job) ? job : failedIfStuck(files.applyFile(job, event))
    case 'gone':
      return lostFile(job, event.fileId)
    case 'digestDiffered':
      return differed(job, event.fileIds)
    case 'uploadsDenied':
      return areFilesOver(job)
        ? job
        : (backToFiles(job, files.denied(job)) ?? failed(job, 'upload_incomplete'))
    case 'requested':
      return stage.is === 'open' ? { ...job, stage: { is: 'requested' } } : job
    case 'postAdded':
      return stage.is === 'added' ? job : added(job, { id: event.postId, videoId: event.videoId })
    case 'postGone':
      return stage.is === 'added' ? addedAgain(job) : job
    case 'released':
      return stage.is === 'added'
        ? { ...job, stage: { is: 'released', post: stage.post, at: event.at } }
        : job
    case 'refused': {
      const { code, fields } = event
      return { ...job, stage: { is: 'failed', code, ...(fields && { fields }), post: addedPostOf(job) } }
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
    case 'fileCancelled':
      return canDropFile(job) ? withoutFile(job, event.fileId) : job
    case 'cancelled':
      return canCancel(job) ? cancelled(job, event.keep === true) : job
    case 'withdrawn':
    case 'withdrawDenied':
    case 'withdrawRefused':
      return job
    default:
      return event satisfies never
  }
}

function applyFailed(job: PostJob, event: PostEvent): PostJob {
  switch (event.type) {
    case 'retried': {
      const post = addedPostOf(job)
      const stage = post ? ({ is: 'added', post } as const) : ({ is: 'open' } as const)
      const again = files.withoutResends({ ...job, stage, readds: 0 })
      return withOffsetsRequested(progressed(files.retryRefused(again, event.fileId)))
    }
    case 'fileCancelled':
      return canDropFile(job) ? withoutFile(progressed({ ...job, stage: { is: 'open' } }), event.fileId) : job
    case 'cancelled':
      return cancelled(job, event.keep === true)
    default:
      return job
  }
}

/**
 * Applies an event to a cancelled post. A refused withdrawal must not keep the job without end. Any other refusal is the
 * late reply to a request from before the cancellation, such as the release: the post still has to be withdrawn.
 */
function applyCancelled(job: PostJob, event: PostEvent): PostJob {
  const post = addedPostOf(job)
  switch (event.type) {
    case 'discarded':
      return files.applyFile(job, event)
    case 'withdrawn':
      return progressed({ ...job, stage: { is: 'cancelled', post: null } })
    case 'withdrawDenied':
      return post ? { ...job, stage: { is: 'released', post, at: event.at } } : job
    case 'lost':
    case 'tokenRefused':
    case 'nudged':
      return applyRetry(job, event)
    case 'withdrawRefused':
      return { ...job, stage: { is: 'cancelled', post: null }, files: undiscarded(job) }
    default:
      return job
  }
}

const undiscarded = (job: PostJob): JobFile[] => job.files.filter(({ state }) => state.is !== 'discarding')

/** Whether the files need nothing more: an added post of the resumable protocol contains them. */
const areFilesOver = (job: PostJob): boolean => job.stage.is === 'added' && !isLegacy(job)

const failed = (job: PostJob, code: FailureCode): PostJob => ({
  ...job,
  stage: { is: 'failed', code, post: addedPostOf(job) },
})

/** With a refused file nothing can be posted: once nothing else is left to send, the job waits for the person. */
function failedIfStuck(job: PostJob): PostJob {
  const code = files.stuckCode(job)
  return code ? failed(job, code) : job
}

function added(job: PostJob, post: { id: string; videoId: string | null }): PostJob {
  const sent = hasFilesInside(job)
    ? job.files.map((it): JobFile => ({ ...it, state: { is: 'sent', url: null } }))
    : job.files
  return progressed({ ...job, files: sent, stage: { is: 'added', post } })
}

/** The server lost the bytes of a file, and by the legacy protocol the post too. */
function lostFile(job: PostJob, fileId: string): PostJob {
  if (areFilesOver(job)) return job
  const next = files.resend(job, [fileId], 'gone')
  if (!next) return failed(job, 'gone')
  return next !== job && isLegacy(job) ? { ...next, stage: { is: 'open' } } : next
}

/** The server has other bytes than the device. By the legacy protocol it deletes them by itself. */
function differed(job: PostJob, fileIds: readonly string[]): PostJob {
  if (areFilesOver(job)) return job
  const next = files.resend(job, fileIds, 'digest')
  if (!next) return failed(job, 'digest_mismatch')
  if (next === job) return job
  const stage = job.stage.is === 'added' ? job.stage : ({ is: 'open' } as const)
  return { ...next, stage, files: isLegacy(job) ? next.files.map(undiscardedFile) : next.files }
}

function undiscardedFile(file: JobFile): JobFile {
  if (file.state.is !== 'discarding' || file.state.next === 'remove') return file
  return { ...file, state: file.state.next === 'pause' ? { is: 'paused', upload: null } : { is: 'waiting' } }
}

/** The request is repeated after the files: unless the post is there, none is being added now. */
function backToFiles(job: PostJob, next: PostJob | undefined): PostJob | undefined {
  return (
    next && withOffsetsRequested({ ...next, stage: job.stage.is === 'added' ? job.stage : { is: 'open' } })
  )
}

/** The server has lost the post, and may have lost its uploads: every offset is requested, then the post is added again. */
function addedAgain(job: PostJob): PostJob {
  if (job.readds >= MAX_READDS) return failed(job, 'not_found')
  // By the legacy protocol the chunks were lost with it.
  const unsentFiles = isLegacy(job) && !hasFilesInside(job) ? job.files.map(unsent) : job.files
  return withOffsetsRequested({ ...job, files: unsentFiles, stage: { is: 'open' }, readds: job.readds + 1 })
}

const unsent = (file: JobFile): JobFile =>
  file.state.is === 'sent' || file.state.is === 'sending' ? { ...file, state: { is: 'waiting' } } : file

/** Marks every offset to be requested before the post is added; the reply replaces what is stored. */
function withOffsetsRequested(job: PostJob): PostJob {
  if (areFilesOver(job)) return job
  if (!isLegacy(job)) return files.requestOffsets(job)
  // A repeated chunk changes nothing, and its reply has the number of chunks.
  return hasFilesInside(job) ? job : { ...job, files: job.files.map(fromFirstChunk) }
}

function fromFirstChunk(file: JobFile): JobFile {
  const { state } = file
  if (state.is === 'sent') return { ...file, state: { is: 'sending', upload: { acked: 0, url: state.url } } }
  if (state.is !== 'sending') return file
  return { ...file, state: { ...state, upload: { ...state.upload, acked: 0 } } }
}

/** The person takes one file out. Taking out the last one cancels the job. */
function withoutFile(job: PostJob, fileId: string): PostJob {
  const rest = files.withoutFile(job.files, fileId)
  if (!rest) return job
  if (!remainingFiles(job.files).some((it) => it.id !== fileId)) return cancelled(job, false)
  // By the legacy protocol there is no call that removes what was sent.
  const next = isLegacy(job) ? job.files.filter((it) => it.id !== fileId) : rest
  return failedIfStuck({ ...job, files: next })
}

function cancelled(job: PostJob, keep: boolean): PostJob {
  const rest = isLegacy(job) || keep ? undiscarded(job) : files.discardAll(job.files)
  return { ...job, files: rest, stage: { is: 'cancelled', post: addedPostOf(job) }, ...noFailures }
}
