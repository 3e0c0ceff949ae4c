// A post after events of the queue, for tests.
import { newId } from '#contract/ids.ts'
import type { PostJob } from '#device/jobs/job-rows.ts'
import { apply, type PostEvent } from '#sw/queue/machines/post.ts'

/** The id of a file. */
export const FILE = newId()

/** The job after these events, in their order. */
export const jobAfter = (job: PostJob, ...events: PostEvent[]): PostJob => events.reduce(apply, job)
