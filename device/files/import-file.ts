// Copies a picked file into chunks on the device, if there is room.
import { compositeDigest } from '#contract/digest.ts'
import { type ByteForm, byteForm } from './byte-form.ts'
import { chunksOf, sealPicked, readLeaves, sealMedia, storeChunks } from './chunks.ts'
import { createChunker } from './chunker.ts'
import { isFull } from '#device/database/database.ts'
import { digestOf, holdFile, releaseFile } from './page-held.ts'
import type { Chunk, Media } from '#device/database/schema.ts'

export type CopyEnd =
  | { is: 'stored'; media: Media }
  /** The person removed the file from the draft during the copy. */
  | { is: 'removed' }
  /** The picked file can no longer be read (moved, changed, or the drive was removed). */
  | { is: 'unreadable' }
  /** The device has no room: this page holds the file and sends its bytes while it is open. */
  | { is: 'picked'; media: Media }
  /** The device has no room, not even for the media row. */
  | { is: 'full' }

const lockOf = (mediaId: string) => `todoke-copy:${mediaId}`

/** Whether a page of this device is copying this media. */
export async function isCopying(mediaId: string): Promise<boolean> {
  const { held } = await navigator.locks.query()
  return held?.some((lock) => lock.name === lockOf(mediaId)) ?? false
}

/**
 * Copies `file` into chunks behind the media row, each with its SHA-256, and seals the row with the
 * composite digest. Chunks that are already stored are not written again. Without room this page holds a file of the post
 * itself, and no chunk stays stored.
 * @param room false when it is known that the file does not fit
 * @param add writes the media row unless it is stored; false when its draft no longer takes it. It runs under the lock: a
 * row in state `copying` without that lock is lost
 */
export function copyFile(
  media: Media,
  file: Blob,
  room = true,
  add: () => Promise<boolean> = async () => true,
): Promise<CopyEnd> {
  return navigator.locks.request(lockOf(media.id), async (): Promise<CopyEnd> => {
    if (!(await add())) return { is: 'removed' }
    const end = new AbortController()
    try {
      if (!room) return await withoutRoom(media, file)
      const form = await byteForm()
      const cut = createChunker(file, form, end.signal)
      if (!(await copyChunks(media, file, { cut, form }))) return { is: 'removed' }
      const sealed = await sealMedia(media.id, await compositeDigest(await readLeaves(media.id)))
      return sealed ? { is: 'stored', media: sealed } : { is: 'removed' }
    } catch (error) {
      if (isFull(error)) return await withoutRoom(media, file)
      if (error instanceof DOMException && ['NotReadableError', 'NotFoundError'].includes(error.name)) {
        return { is: 'unreadable' }
      }
      throw error
    } finally {
      end.abort()
    }
  })
}

/** Most chunks of one transaction: a strict one of 20 MiB takes half the time of four of 5 MiB in Chromium. */
const MOST_AT_ONCE = 4

interface Cutting {
  readonly cut: ReturnType<typeof createChunker>
  readonly form: ByteForm
}

/**
 * Stores the chunks that a media row lacks. While a transaction runs, the next chunks are read; they are in the next
 * transaction together. Only one is read ahead where its bytes are in memory.
 * @returns false when the row was deleted
 */
async function copyChunks(media: Media, file: Blob, { cut, form }: Cutting): Promise<boolean> {
  const most = form === 'blob' ? MOST_AT_ONCE : 1
  const count = chunksOf(file.size)
  let [writing, isWriting] = [Promise.resolve(true), false]
  let waiting: Chunk[] = []
  for (let index = media.bytes.is === 'copying' ? media.bytes.stored : count; index < count; index++) {
    waiting.push({ mediaId: media.id, index, ...(await cut(index)) })
    if (isWriting && waiting.length < most && index + 1 < count) continue
    if (!(await writing)) return false
    const [first, ...others] = waiting
    if (!first) continue
    waiting = []
    isWriting = true
    writing = storeChunks(first, ...others).finally(() => (isWriting = false))
    // It is awaited later; without a handler its failure would be reported as unhandled before.
    writing.catch(() => undefined)
  }
  return writing
}

/** Holds the file in this page. Thumbnails and frames are small: a device without room for them has none for a post. */
async function withoutRoom(media: Media, file: Blob): Promise<CopyEnd> {
  if (media.role !== 'media') return { is: 'full' }
  try {
    const digest = await digestOf(file)
    await holdFile(media.id, file)
    const sealed = await sealPicked(media.id, digest)
    if (sealed) return { is: 'picked', media: sealed }
    releaseFile(media.id)
    return { is: 'removed' }
  } catch (error) {
    releaseFile(media.id)
    if (isFull(error)) return { is: 'full' }
    if (error instanceof DOMException) return { is: 'unreadable' }
    throw error
  }
}
