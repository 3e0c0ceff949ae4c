// Another chance for a file nothing could be made of, when its author asks for it.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { findHolder, findMedia, retryFailedMedia } from '#server/store/media/media.ts'
import { queueOf } from '#server/store/jobs.ts'
import { findUpload } from '#server/store/media/uploads.ts'

/** For whoever did not send it, or when no post shows it any more, there is no such file. */
export async function retryOwn(deps: Deps, id: string, ownerId: string) {
  const { db, jobs } = deps
  const upload = await findUpload(db, id)
  if (upload?.ownerId !== ownerId || !(await findHolder(db, id))) throw new ApiError('not_found')
  const fresh = await db.transaction(async (tx) => {
    const failed = await retryFailedMedia(tx, id)
    if (failed) await jobs.enqueue(tx, queueOf(failed), { mediaId: id })
    return failed
  })
  if (fresh) jobs.wake(queueOf(fresh))
  const state = (await findMedia(db, id))?.state
  if (state === undefined) throw new ApiError('not_found')
  return { id, state: state === 'awaited' ? ('processing' as const) : state }
}
