// Selects the machine of a job by its kind. Pure.
import type { FileJob, Job, Queued } from '#device/jobs/job-rows.ts'
import type { PersonEvent } from '#sw/queue/events.ts'
import * as mutation from './mutation.ts'
import * as post from './post.ts'
import * as preupload from './preupload.ts'
import * as request from './request-with-files.ts'

/** Applies an action of the person to a job with files. */
export function applyPersonEvent(job: FileJob, event: PersonEvent): FileJob {
  switch (job.kind) {
    case 'post':
      return post.apply(job, event)
    case 'identity':
    case 'message':
      return request.apply(job, event)
    case 'preupload':
      return preupload.apply(job, event)
    default:
      return job satisfies never
  }
}

/** Whether the person can cancel the job now. */
export const canCancel = (job: Job): boolean =>
  job.kind === 'post' ? post.canCancel(job) : request.canCancel(job)

/** Whether a job can continue by itself, at `now` (ms since 1970) or later. */
export function canContinue(job: Queued, now: number): boolean {
  const step = stepOf(job, now)
  return step.do !== 'wait' || step.for === 'time'
}

function stepOf(job: Queued, now: number) {
  switch (job.kind) {
    case 'post':
      return post.nextStep(job, now)
    case 'identity':
    case 'message':
      return request.nextStep(job, now)
    case 'preupload':
      return preupload.nextStep(job, now)
    case 'mutation':
      return mutation.nextStep(job, now)
    default:
      return job satisfies never
  }
}
