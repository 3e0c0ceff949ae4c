// The job that removes an unused file and everything made from it. It is idempotent.
import type { Deps } from '#server/deps.ts'
import { findHolder, removeMediaRows } from '#server/store/media/media.ts'

/** If another process is processing a file, the job checks again after this, s. */
const LOOK_AGAIN = 10

/** Files first, rows last: whatever is cut is found again by its rows. What is shown somewhere stays. */
export async function removeMedia(deps: Deps, mediaId: string): Promise<void> {
  const { db, database, files, transaction } = deps
  const turn = await database.exclusively(`media ${mediaId}`, async () => {
    if (await findHolder(db, mediaId)) return
    await files.remove(files.uploadPath(mediaId))
    await files.remove(files.mediaFolder(mediaId))
    await removeMediaRows(db, mediaId)
  })
  if (turn === 'busy')
    await transaction(({ enqueue }) => enqueue('media.remove', { mediaId }, { seconds: LOOK_AGAIN }))
}
