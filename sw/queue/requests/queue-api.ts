// Every request of the queue.
import type { FileJob, MutationJob } from '#device/jobs/job-rows.ts'
import type { FileApi, IdentityApi, MessageApi, MutationApi, PostApi } from '#sw/queue/ports.ts'
import { createIdentityApi } from './identity.ts'
import { createMessageApi } from './message.ts'
import { createMutationApi, type MutationDeps } from './mutations.ts'
import { createPostApi, type PublishDeps } from './publish.ts'

/** Every call of the queue. */
export type QueueApi = PostApi & IdentityApi & MessageApi & MutationApi

/** A mutation that the server has answered, or a message with files as one. */
type Answered = Pick<MutationJob, 'id' | 'ownerId'> & { form: Pick<MutationJob['form'], 'mutation'> }

interface RestDeps extends PublishDeps, Pick<MutationDeps, 'renumber'> {
  /** Called with the server's reply to a mutation or a message. */
  readonly onReply?: (answered: Answered, reply: unknown) => void
}

/** Every call but those of files. */
export const createRestApi = (deps: RestDeps): Omit<QueueApi, keyof FileApi> => ({
  ...createPostApi(deps),
  ...createIdentityApi(deps),
  ...createMessageApi(deps),
  ...createMutationApi(deps),
})

/** One API out of both protocols: a job is sent by its own. */
export function byProtocol(tus: FileApi, chunked: FileApi, rest: Omit<QueueApi, keyof FileApi>): QueueApi {
  const of = (job: FileJob) => (job.kind === 'post' && job.protocol === 'chunked' ? chunked : tus)
  return {
    ...rest,
    send: (job, mediaId, onProgress, signal) => of(job).send(job, mediaId, onProgress, signal),
    discard: (job, mediaId, signal) => of(job).discard(job, mediaId, signal),
  }
}
