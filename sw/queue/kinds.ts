// The kinds of jobs as the loop meets them: which one a delivery is, and what is said outside the app when it fails.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { MutationJob, Delivery, IdentityJob, Job, PostJob, Queued } from '#device/database/schema.ts'

/** What is still being written has no post; the machine never asks for one. */
export function postOf(delivery: Queued): PostJob {
  if (!delivery.form) throw new Error('a draft that is being written was asked for its post')
  if (delivery.kind === 'act') throw new Error('an act was asked for its post')
  if (delivery.kind !== 'post') throw new Error('an identity check was asked for its post')
  return delivery
}

/** The identity check that a delivery is; the machine asks of no other. */
export function checkOf(delivery: Queued): IdentityJob {
  if (!delivery.form || delivery.kind !== 'identity') throw new Error('a post was asked for its check')
  return delivery
}

/** A job that one request delivers. */
export function wholeOf(job: Queued): IdentityJob | MutationJob {
  return job.form && job.kind === 'act' ? job : checkOf(job)
}

/** What is sent with its files; an act has none, and the machine sends none of it. */
export function filesOf(job: Queued): Delivery {
  if (job.form && job.kind === 'act') throw new Error('an act was asked for its files')
  return job
}

/** A post's first line, or ''. */
export function titleOf({ form }: PostJob): string {
  return form.content.trim().split('\n')[0] ?? ''
}

/** What is said outside the app when a job fails. An act that was refused is told of inside it. */
export function failureNotice(job: Job | MutationJob): DeliveryNotice | undefined {
  switch (job.kind) {
    case 'post':
      return { is: 'failed', jobId: job.id, title: titleOf(job) }
    case 'identity':
      return { is: 'identityFailed', jobId: job.id }
    case 'act':
      return undefined
    default:
      return job satisfies never
  }
}
