// A job after events of the queue, for tests.
import { newId } from '#contract/ids.ts'
import type { PostJob } from '#device/jobs/job-rows.ts'
import { apply, type PostEvent } from '#sw/queue/machines/post.ts'

/** The id of the job's file. */
export const FILE = newId()

/** Applies these events to a job, in their order. */
export const jobAfter = (job: PostJob, ...events: PostEvent[]): PostJob => events.reduce(apply, job)
