// Stores numbered parts of uploads, which arrive in any order, in a bucket.
import { bytesOfParts, type PartBytes, type PartPlace, storedIn } from '#server/adapters/files/part-bytes.ts'
import type { Pieces } from '#server/adapters/files/upload-bytes.ts'
import type { StoredUpload, UploadPart } from '#server/adapters/files/upload-parts.ts'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import { digestOfParts, overtaken, UploadObjects, type UploadObjectsOptions } from './upload-objects.ts'

/** A whole part is a part of the store; a part of which bytes are missing has a tail. */
export function createS3PartBytes(options: UploadObjectsOptions): PartBytes {
  const objects = new UploadObjects(options)
  const { rows } = objects
  return {
    async number(id) {
      const { stored, tailSize, parts } = await objects.find(id)
      const tail = { no: parts.length + 1, start: stored - tailSize, size: tailSize, etag: '', sha256: '' }
      if (!(await rows.number(id, stored, tailSize > 0 ? [tail] : []))) throw overtaken()
    },
    async storedOf(id) {
      return storedIn(await objects.find(id))
    },
    async write(place, stored, { pieces }) {
      const { id, no, size } = place
      const start = (no - 1) * PART_BYTES
      const upload = await objects.find(id)
      const before = await objects.readTail(id, upload, { end: start + stored, size: stored })
      const bytes = Buffer.concat([before, ...(await all(pieces))])
      if (bytes.length === stored) return stored
      if (bytes.length < size) await storeTail(objects, upload, { id, no, start, bytes })
      else await storePart(objects, upload, { id, no, start, bytes })
      if (stored > 0) await objects.removeTail(id, start + stored)
      return bytes.length
    },
    async complete(id) {
      const upload = await objects.find(id)
      const { parts, storeId } = upload
      if (parts.length === 0) return objects.mustHave(id, upload, upload.stored)
      if (parts.some(({ etag }) => etag === '')) return objects.lose(id, upload)
      await objects.join(id, upload, bytesOfParts(parts))
      await rows.completed(id, storeId, await digestOfParts(parts))
      await objects.removeTails(id)
    },
  }
}

interface PartOfUpload extends Pick<PartPlace, 'id' | 'no'> {
  readonly start: number
  readonly bytes: Buffer
}

async function storeTail(
  objects: UploadObjects,
  { storeId }: StoredUpload,
  { id, no, start, bytes }: PartOfUpload,
): Promise<void> {
  await objects.bucket.put(objects.tailOf(id, start + bytes.length), bytes)
  const part: UploadPart = { no, start, size: bytes.length, etag: '', sha256: '' }
  if (await objects.rows.keep(id, storeId, part)) return
  // Another part may have begun the upload in the store meanwhile.
  const present = storeId === null ? (await objects.find(id)).storeId : null
  if (present === null || !(await objects.rows.keep(id, present, part))) throw overtaken()
}

async function storePart(
  objects: UploadObjects,
  upload: StoredUpload,
  { id, no, start, bytes }: PartOfUpload,
): Promise<void> {
  const storeId = await objects.sharedStoreId(id, upload)
  const part = await objects.putPart(id, { ...upload, storeId }, { no, start, bytes })
  if (!(await objects.rows.keep(id, storeId, part))) throw overtaken()
}

async function all(pieces: Pieces): Promise<Buffer[]> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(...piece)
  return parts
}
