// The job that removes a file nobody shows any more, and everything that was made of it. Doing it twice is no harm.
import type { Deps } from '#server/deps.ts'
import { findHolder, forgetMedia } from '#server/store/media/media.ts'

/** When another process is at work on a file, somebody looks again after this, s. */
const LOOK_AGAIN = 10

/** Files first, rows last: whatever is cut is found again by its rows. What is shown somewhere stays. */
export async function removeMedia(deps: Deps, mediaId: string): Promise<void> {
  const { db, database, files, jobs } = deps
  const turn = await database.exclusively(`media ${mediaId}`, async () => {
    if (await findHolder(db, mediaId)) return
    await files.remove(files.uploadPath(mediaId))
    await files.remove(files.mediaFolder(mediaId))
    await forgetMedia(db, mediaId)
  })
  if (turn === 'busy') await jobs.enqueue(db, 'media.remove', { mediaId }, LOOK_AGAIN)
}
