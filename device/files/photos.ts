// Stores picked photos whole, several in one transaction, before they are converted.
import { emitChange } from '#device/database/changes.ts'
import { transact } from '#device/database/database.ts'
import type { Chunk, Draft, Media } from '#device/database/schema.ts'
import { changeDraftIn } from '#device/drafts/drafts.ts'
import { type ByteForm, byteForm } from './byte-form.ts'
import { CHUNK_BYTES, chunksOf, readWhole } from './chunks.ts'
import { readMedia } from './media.ts'

export interface PickedPhoto {
  /** Its row, with `unhashed` bytes. */
  readonly media: Media
  readonly file: Blob
}

/**
 * Bytes of a photo whose SHA-256 is not known: it is converted before it is sent, and the converted file has its own.
 * `sendAsPicked` computes it for a photo that is sent without a conversion.
 */
export const unhashed: Media['bytes'] = { is: 'stored', digest: '' }

/** Whether a row has `unhashed` bytes. */
export const isUnhashed = ({ bytes }: Pick<Media, 'bytes'>): boolean =>
  bytes.is === 'stored' && bytes.digest === ''

const MiB = 1024 * 1024

/** Most bytes of photos that one transaction stores: many where the browser copies files, few where memory has them. */
export async function mostPhotoBytes(): Promise<number> {
  return (await byteForm()) === 'blob' ? 256 * MiB : 4 * CHUNK_BYTES
}

/**
 * Stores photos and adds them to their draft, in their order and in one strict transaction: all of them are whole, or none
 * is there. Where slices are stored as they are, the browser copies the files, and no byte is read here.
 * @returns `undefined` when the draft can no longer change. Rejects with the browser's error when there is no room for all,
 * or when a file cannot be read; then nothing was stored
 */
export async function addPhotos(
  draft: Draft,
  photos: readonly PickedPhoto[],
  now: number,
): Promise<Draft | undefined> {
  const form = await byteForm()
  const chunks = (await Promise.all(photos.map((it) => chunksOfPhoto(it, form)))).flat()
  const ids = photos.map(({ media }) => media.id)
  const changed = await transact(
    ['drafts', 'jobs', 'receipts', 'media', 'chunks'],
    'readwrite',
    async (tx) => {
      const add = (stored: Draft): Draft => ({ ...stored, mediaIds: [...stored.mediaIds, ...ids] })
      const next = await changeDraftIn(tx, draft, add, now)
      if (!next) return undefined
      // Not one after the other, which would wait for each request. In async functions: what fails at once rejects too.
      const puts = [
        ...chunks.map(async (it) => tx.objectStore('chunks').put(it)),
        ...photos.map(async ({ media }) => tx.objectStore('media').put(media)),
      ]
      await Promise.all(puts)
      return next
    },
  )
  if (changed) emitChange({ store: 'drafts', id: draft.id })
  return changed
}

const gone = () => new DOMException('the bytes of the photo are not on the device', 'NotReadableError')

/**
 * Reads a stored photo as one Blob, and a byte of each chunk: Chromium completes a transaction whose file was deleted
 * before it, and the chunk has then no bytes. `undefined` when the photo was removed; rejects when it is not whole.
 */
export async function readPhoto(media: Media): Promise<Blob | undefined> {
  const whole = await readWhole(media)
  if (!whole && !(await readMedia(media.id))) return undefined
  if (whole?.size !== media.size) throw gone()
  for (let at = 0; at < whole.size; at += CHUNK_BYTES) {
    const { byteLength } = await whole.slice(at, at + 1).arrayBuffer()
    if (byteLength === 0) throw gone()
  }
  return whole
}

async function chunksOfPhoto({ media, file }: PickedPhoto, form: ByteForm): Promise<Chunk[]> {
  // Chromium gives a file that was deleted since its pick no bytes.
  if (file.size !== media.size) throw gone()
  const indexes = Array.from({ length: chunksOf(file.size) }, (_, index) => index)
  return Promise.all(
    indexes.map(async (index) => {
      const slice = file.slice(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
      const row = { mediaId: media.id, index, size: slice.size, sha256: new Uint8Array() }
      if (form === 'blob') return { ...row, bytes: slice }
      const bytes = await slice.arrayBuffer()
      return { ...row, bytes: form === 'copy' ? new Blob([bytes]) : bytes }
    }),
  )
}
