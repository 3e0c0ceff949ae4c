// Chunks: a media file's bytes on this device, 5 MiB each, with their SHA-256.
import { TUS_CHUNK } from '#contract/limits.ts'
import { emitChange } from '#device/database/changes.ts'
import { transact, type Tx } from '#device/database/database.ts'
import { parseRow } from '#device/database/rows.ts'
import type { Chunk, Media } from '#device/database/schema.ts'

/** Bytes of one stored chunk; a file's last one is shorter. */
export const CHUNK_BYTES = TUS_CHUNK

/** How many chunks a file of this size has. */
export function chunksOf(size: number): number {
  return Math.ceil(size / CHUNK_BYTES)
}

/**
 * How much of a file is on this device, 0..1. It is less than 1 until the row is sealed, also when every chunk is
 * stored: an unsealed row is lost if its page closes.
 */
export function copiedPart({ bytes, size }: Pick<Media, 'bytes' | 'size'>): number {
  return bytes.is === 'copying' ? bytes.stored / (chunksOf(size) + 1) : 1
}

/** Reads one chunk with its digest; `undefined` when it is not there. */
export function readChunkRow(mediaId: string, index: number): Promise<Chunk | undefined> {
  return transact(['chunks'], 'readonly', async (tx) =>
    parseRow('chunks', await tx.objectStore('chunks').get([mediaId, index])),
  )
}

/** Reads one chunk as a Blob; `undefined` when it is not there. */
export async function readChunk(mediaId: string, index: number): Promise<Blob | undefined> {
  const chunk = await readChunkRow(mediaId, index)
  return chunk && blobOf(chunk)
}

/** The bytes of a chunk, which stay where they are stored. */
export const blobOf = ({ bytes }: Chunk): Blob => (bytes instanceof Blob ? bytes : new Blob([bytes]))

/** Reads a stored media as one Blob, for previews; `undefined` while chunks are missing. */
export async function readWhole(media: Media): Promise<Blob | undefined> {
  const parts: Blob[] = []
  for (let index = 0; index < chunksOf(media.size); index++) {
    const part = await readChunk(media.id, index)
    if (!part) return undefined
    parts.push(part)
  }
  return new Blob(parts, { type: media.mime })
}

/** Reads the SHA-256 of every stored chunk of a media, in file order. */
export function readLeaves(mediaId: string): Promise<Uint8Array[]> {
  return transact(['chunks'], 'readonly', async (tx) => {
    const leaves: Uint8Array[] = []
    for (let cursor = await tx.objectStore('chunks').openCursor(chunkRange(mediaId)); cursor;) {
      const chunk = parseRow('chunks', cursor.value)
      if (chunk) leaves.push(chunk.sha256)
      cursor = await cursor.continue()
    }
    return leaves
  })
}

/**
 * Stores the next chunks of a media and counts them, in one transaction.
 * @param chunks at least one, in file order
 * @returns false when the media was deleted: the person removed it during the copy
 */
export async function storeChunks(...chunks: [Chunk, ...Chunk[]]): Promise<boolean> {
  const [{ mediaId, index: first }] = chunks
  const last = first + chunks.length - 1
  const stored = await transact(['chunks', 'media'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (!media) return false
    for (const chunk of chunks) await tx.objectStore('chunks').put(chunk)
    await tx.objectStore('media').put({ ...media, bytes: { is: 'copying', stored: last + 1 } })
    return true
  })
  if (stored) emitChange({ store: 'chunks', id: mediaId, index: last })
  return stored
}

/** Marks a media's bytes complete. */
export async function sealMedia(mediaId: string, digest: string): Promise<Media | undefined> {
  const sealed = await transact(['media'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (!media) return undefined
    const next: Media = { ...media, bytes: { is: 'stored', digest } }
    await tx.objectStore('media').put(next)
    return next
  })
  if (sealed) emitChange({ store: 'media', id: mediaId })
  return sealed
}

/**
 * Marks a media's bytes as those of the picked file and deletes the stored chunks, in one transaction.
 * @param digest the file's composite SHA-256
 */
export async function sealPicked(mediaId: string, digest: string): Promise<Media | undefined> {
  const sealed = await transact(['chunks', 'media'], 'readwrite', async (tx) => {
    const media = parseRow('media', await tx.objectStore('media').get(mediaId))
    if (!media) return undefined
    const next: Media = { ...media, bytes: { is: 'picked', digest } }
    await tx.objectStore('chunks').delete(chunkRange(mediaId))
    await tx.objectStore('media').put(next)
    return next
  })
  if (sealed) emitChange({ store: 'media', id: mediaId })
  return sealed
}

/** Deletes media rows and all their chunks, inside a transaction over `media` and `chunks`. */
export async function eraseMedia(tx: Tx, mediaIds: readonly string[]): Promise<void> {
  for (const mediaId of mediaIds) {
    await eraseChunks(tx, mediaId)
    await tx.objectStore('media').delete(mediaId)
  }
}

/** Deletes a media's chunks, inside a transaction over `chunks`. */
export async function eraseChunks(tx: Tx, mediaId: string): Promise<void> {
  await tx.objectStore('chunks').delete(chunkRange(mediaId))
}

/** The keys of a media's chunks. */
export function chunkRange(mediaId: string): IDBKeyRange {
  return IDBKeyRange.bound([mediaId, 0], [mediaId, Number.POSITIVE_INFINITY])
}
