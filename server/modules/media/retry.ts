// Processes a failed media file again, at its author's request.
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { findHolder, findMedia, retryFailedMedia } from '#server/store/media/media.ts'
import { queueOf } from '#server/store/jobs.ts'
import { findUpload } from '#server/store/media/uploads.ts'

/**
 * Lets a failed media of this person be processed again.
 * @throws ApiError `not_found` if the media is another person's, or if no post, no message and no profile shows it
 */
export async function retryOwnMedia(deps: Deps, id: string, ownerId: string) {
  const { db, transaction } = deps
  const upload = await findUpload(db, id)
  if (upload?.ownerId !== ownerId || !(await findHolder(db, id))) throw new ApiError('not_found')
  await transaction(async ({ tx, enqueue }) => {
    const failed = await retryFailedMedia(tx, id)
    if (failed) await enqueue(queueOf(failed), { mediaId: id })
  })
  const state = (await findMedia(db, id))?.state
  if (state === undefined) throw new ApiError('not_found')
  return { id, state: state === 'awaited' ? ('processing' as const) : state }
}
