// Mends differences between the data folder and the database.
import type { Deps } from '#server/deps.ts'
import { failLostExport, remakeMedia } from '#server/store/media/stored-files.ts'
import { queueOf } from '#server/store/jobs.ts'
import type { Finding } from './check.ts'

/** `none`: only a backup has what is missing. */
export type Mended = 'made_again' | 'failed' | 'removed' | 'none'

/**
 * Makes missing files of a media again, fails an export without a file, and removes what has no row. After a database was
 * restored from a backup, files without a row may be newer than it: the caller decides.
 */
export async function mendStorage(deps: Deps, it: Finding): Promise<Mended> {
  switch (it.is) {
    case 'media_missing':
      return it.canBeMade ? makeAgain(deps, it.id) : 'none'
    case 'export_missing':
      await failLostExport(deps.db, it.id)
      return 'failed'
    case 'extra':
      await deps.storage.objects.removeFolder(it.key, 'at_once')
      return 'removed'
    default:
      return 'none'
  }
}

async function makeAgain({ transaction }: Deps, mediaId: string): Promise<Mended> {
  return transaction(async ({ tx, enqueue }) => {
    const kind = await remakeMedia(tx, mediaId)
    if (kind === undefined) return 'none'
    await enqueue(queueOf(kind), { mediaId })
    return 'made_again'
  })
}
