// Stores the bytes of uploads as parts in a bucket.
// Rows say which of them count.
import { readFile } from 'node:fs/promises'
import { DIGEST_LEAF } from '#contract/digest.ts'
import { mustBeEmpty, type Pieces, type UploadBytes } from '#server/adapters/files/upload-bytes.ts'
import type { StoredUpload } from '#server/adapters/files/upload-parts.ts'
import { digestOfParts, overtaken, UploadObjects, type UploadObjectsOptions } from './upload-objects.ts'

/** Bytes of a part: the least that a store takes for one that is not the last. A part is a leaf of the digest. */
export const UPLOAD_PART = DIGEST_LEAF

export const createS3UploadBytes = (options: UploadObjectsOptions): UploadBytes => new S3UploadBytes(options)

class S3UploadBytes implements UploadBytes {
  readonly #objects: UploadObjects

  constructor(options: UploadObjectsOptions) {
    this.#objects = new UploadObjects(options)
  }

  async create(id: string): Promise<void> {
    // An expired upload that is created again has no bytes of the earlier one.
    const { stored, storeId } = await this.#objects.find(id)
    if (stored > 0 || storeId !== null) await this.remove(id)
  }

  async offsetOf(id: string): Promise<number> {
    const { finished, stored } = await this.#objects.find(id)
    return finished ?? stored
  }

  async append(id: string, offset: number, length: number | null, pieces: Pieces): Promise<number> {
    let upload = await this.#objects.find(id)
    if ((upload.finished ?? upload.stored) !== offset) throw overtaken()
    if (upload.finished !== null) {
      await mustBeEmpty(pieces)
      return upload.finished
    }
    const waiting = new Waiting(await this.#readTail(id, upload))
    const losses: unknown[] = []
    for await (const piece of untilLost(pieces, (error) => losses.push(error))) {
      waiting.add(piece)
      for (let bytes = waiting.takePart(); bytes; bytes = waiting.takePart())
        upload = await this.#addPart(id, upload, bytes)
    }
    // Also when the connection was lost: what has arrived is not sent again. After a failure of the store it is.
    upload = await this.#addRest(id, upload, length, waiting.rest())
    if (losses.length > 0) throw losses[0]
    return upload.stored
  }

  async place(id: string, offset: number, file: string): Promise<void> {
    let upload = await this.#objects.find(id)
    if (upload.stored !== offset) upload = await this.#endAt(id, upload, offset)
    await this.#addPart(id, upload, await readFile(file))
  }

  async cutAt(id: string, length: number): Promise<void> {
    await this.#endAt(id, await this.#objects.find(id), length)
  }

  async complete(id: string): Promise<void> {
    const { bucket, rows } = this.#objects
    let upload = await this.#objects.find(id)
    const size = upload.finished ?? upload.stored
    const hasPieces = upload.storeId !== null || upload.tailSize > 0
    // Stored at once, complete since an earlier call, or stored elsewhere: pieces that are left of it are not the upload.
    if (!hasPieces || upload.stored !== size) return this.#objects.mustHave(id, upload, size)
    const tail = await this.#readTail(id, upload)
    if (upload.storeId === null) await bucket.put(this.#objects.nameOf(id), tail)
    else {
      if (tail.length > 0) upload = await this.#addPart(id, upload, tail)
      await this.#objects.join(id, upload, upload.stored)
    }
    await rows.completed(id, upload.storeId, await digestOfParts(upload.parts))
    await this.#objects.removeTails(id)
  }

  async remove(id: string): Promise<void> {
    const { bucket, rows } = this.#objects
    await rows.clear(id)
    await this.#objects.removeTails(id)
    for await (const page of bucket.begun(this.#objects.nameOf(id)))
      for (const it of page) await bucket.abort(it.key, it.id)
    await bucket.remove([this.#objects.nameOf(id)])
  }

  /** Stores the next part, and counts it. @returns the upload as it is then */
  async #addPart(id: string, upload: StoredUpload, bytes: Buffer): Promise<StoredUpload> {
    const last = upload.parts.at(-1)
    const start = upload.stored - upload.tailSize
    if ((last ? last.start + last.size : 0) !== start) return this.#objects.lose(id, upload)
    const storeId = await this.#objects.storeIdOf(id, upload)
    const no = upload.parts.length + 1
    const part = await this.#objects.putPart(id, { ...upload, storeId }, { no, start, bytes })
    if (!(await this.#objects.rows.add(id, upload.stored, part))) throw overtaken()
    if (upload.tailSize > 0) await this.#objects.removeTail(id, upload.stored)
    return { ...upload, stored: start + bytes.length, storeId, tailSize: 0, parts: [...upload.parts, part] }
  }

  /** Stores bytes that are too few for a part under a new name, and only then removes the earlier tail. */
  async #setTail(id: string, upload: StoredUpload, bytes: Buffer): Promise<StoredUpload> {
    const stored = upload.stored - upload.tailSize + bytes.length
    await this.#objects.bucket.put(this.#objects.tailOf(id, stored), bytes)
    if (!(await this.#objects.rows.setTail(id, upload.stored, bytes.length))) throw overtaken()
    if (upload.tailSize > 0) await this.#objects.removeTail(id, upload.stored)
    return { ...upload, stored, tailSize: bytes.length }
  }

  /** Stores bytes that are left: as the object or its last part when the upload ends with them, else as its tail. */
  async #addRest(
    id: string,
    upload: StoredUpload,
    length: number | null,
    bytes: Buffer,
  ): Promise<StoredUpload> {
    if (bytes.length === upload.tailSize) return upload
    const end = upload.stored - upload.tailSize + bytes.length
    if (end !== length) return this.#setTail(id, upload, bytes)
    if (upload.storeId !== null) return this.#addPart(id, upload, bytes)
    await this.#objects.bucket.put(this.#objects.nameOf(id), bytes)
    return this.#endAt(id, upload, end)
  }

  #readTail(id: string, upload: StoredUpload): Promise<Buffer> {
    return this.#objects.readTail(id, upload, { end: upload.stored, size: upload.tailSize })
  }

  async #endAt(id: string, upload: StoredUpload, offset: number): Promise<StoredUpload> {
    if (!(await this.#objects.rows.endAt(id, upload.stored, offset))) throw overtaken()
    return this.#objects.find(id)
  }
}

/** Pieces until their connection is lost. @param lost receives the error, which ends the pieces */
async function* untilLost(
  pieces: Pieces,
  lost: (error: unknown) => void,
): AsyncGenerator<readonly Buffer[], void> {
  try {
    yield* pieces
  } catch (error) {
    lost(error)
  }
}

/** Bytes that wait for a part. */
class Waiting {
  #pieces: Buffer[]
  #size: number

  constructor(first: Buffer) {
    this.#pieces = [first]
    this.#size = first.length
  }

  add(pieces: readonly Buffer[]): void {
    this.#pieces.push(...pieces)
    this.#size += pieces.reduce((sum, it) => sum + it.length, 0)
  }

  /** The bytes of the next part, which wait no more; undefined while there are too few. */
  takePart(): Buffer | undefined {
    if (this.#size < UPLOAD_PART) return undefined
    const all = this.rest()
    this.#pieces = [all.subarray(UPLOAD_PART)]
    this.#size -= UPLOAD_PART
    return all.subarray(0, UPLOAD_PART)
  }

  rest(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}
