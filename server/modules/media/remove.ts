// The job that removes an unused file and everything made from it. It is idempotent.
import type { Deps } from '#server/deps.ts'
import { findHolder, removeMediaRows } from '#server/store/media/media.ts'

/** Delay of the next job when another process has the file, s. */
const RECHECK_SECONDS = 10

/**
 * Removes a media, unless a post, a message or a profile shows it. Rows are deleted after the files, so that an interrupted
 * removal can be repeated.
 */
export async function removeMedia(deps: Deps, mediaId: string): Promise<void> {
  const { db, database, storage, transaction } = deps
  const outcome = await database.exclusively(`media ${mediaId}`, async () => {
    if (await findHolder(db, mediaId)) return
    await storage.objects.remove(`uploads/${mediaId}`)
    await storage.objects.removeFolder(`media/${mediaId}`)
    await removeMediaRows(db, mediaId)
  })
  if (outcome === 'busy')
    await transaction(({ enqueue }) => enqueue('media.remove', { mediaId }, { seconds: RECHECK_SECONDS }))
}
