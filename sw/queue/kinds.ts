// Lists the kinds of jobs of each queue.
import type { FileJob, MutationJob } from '#device/jobs/job-rows.ts'
import { bindKind, type BoundKind } from './kind.ts'
import { createIdentityKind, createMessageKind } from './kinds/request-with-files.ts'
import { createMutationKind } from './kinds/mutation.ts'
import { createPostKind } from './kinds/post.ts'
import { createPreuploadKind } from './kinds/preupload.ts'
import type { IdentityApi, MessageApi, MutationApi, PostApi } from './ports.ts'

/** Kinds of jobs with files. */
export const fileKinds = (api: PostApi & IdentityApi & MessageApi): readonly BoundKind<FileJob>[] => {
  const kinds: Record<FileJob['kind'], BoundKind<FileJob>> = {
    post: bindKind(createPostKind(api)),
    identity: bindKind(createIdentityKind(api)),
    message: bindKind(createMessageKind(api)),
    preupload: bindKind(createPreuploadKind(api)),
  }
  return Object.values(kinds)
}

/** Kinds of jobs without files, in a queue of their own. */
export const mutationKinds = (api: MutationApi): readonly BoundKind<MutationJob>[] => [
  bindKind(createMutationKind(api)),
]
