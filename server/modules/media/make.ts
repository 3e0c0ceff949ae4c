// The job that makes what people see of an upload. Doing it twice gives the same files.
import { mkdir, rename, rm } from 'node:fs/promises'
import type { Deps } from '#server/deps.ts'
import {
  countAttempt,
  findMedia,
  findThumbnailOf,
  setMediaFailed,
  setMediaReady,
  uncountAttempt,
} from '#server/store/media.ts'

/** A file whose work dies this often is given up. */
export const MAX_ATTEMPTS = 4

export async function makeMedia(deps: Deps, mediaId: string): Promise<void> {
  const { db, files } = deps
  const attempts = await countAttempt(db, mediaId)
  if (attempts === undefined) return
  if (attempts > MAX_ATTEMPTS) return setMediaFailed(db, mediaId, 'gave_up')
  const row = await findMedia(db, mediaId)
  if (!row) return
  const thumbnail = row.kind === 'video' ? await findThumbnailOf(db, mediaId) : undefined
  const output = files.newTemporary()
  await mkdir(output, { recursive: true })
  try {
    const answer = await deps.mediaMaker.make({
      kind: row.kind,
      mime: row.mime,
      input: files.uploadPath(mediaId),
      output,
      thumbnail: thumbnail === undefined ? undefined : files.uploadPath(thumbnail),
    })
    if (answer.is === 'refused') return await setMediaFailed(db, mediaId, answer.failure)
    const place = files.mediaFolder(mediaId)
    await rm(place, { recursive: true, force: true })
    await rename(output, place)
    await setMediaReady(db, mediaId, answer.media)
  } catch (error) {
    if (deps.draining.now) await uncountAttempt(db, mediaId)
    throw error
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}
