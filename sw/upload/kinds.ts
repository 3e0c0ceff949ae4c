// The kinds of jobs as the loop meets them: which one a delivery is, and what is said outside the app when it fails.
import type { DeliveryNotice } from '#contract/notices.ts'
import type { Delivery, IdentityJob, Job, PostJob } from '#device/schema.ts'

/** What is still being written has no post; the machine never asks for one. */
export function postOf(delivery: Delivery): PostJob {
  if (!delivery.form) throw new Error('a draft that is being written was asked for its post')
  if (delivery.kind !== 'post') throw new Error('an identity check was asked for its post')
  return delivery
}

/** The identity check that a delivery is; the machine asks of no other. */
export function checkOf(delivery: Delivery): IdentityJob {
  if (!delivery.form || delivery.kind !== 'identity') throw new Error('a post was asked for its check')
  return delivery
}

/** A post's first line, or ''. */
export function titleOf({ form }: PostJob): string {
  return form.content.trim().split('\n')[0] ?? ''
}

/** What is said when a job fails. */
export function failureNotice(job: Job): DeliveryNotice {
  switch (job.kind) {
    case 'post':
      return { is: 'failed', jobId: job.id, title: titleOf(job) }
    case 'identity':
      return { is: 'identityFailed', jobId: job.id }
    default:
      return job satisfies never
  }
}
