// Stores the bytes of uploads as parts in a bucket.
// Rows say which of them count.
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ERRORS } from '@tus/server'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { checkKey, type UploadPrefix } from '#server/adapters/files/object-store.ts'
import { LostBytes, mustBeEmpty, type Pieces, type UploadBytes } from '#server/adapters/files/upload-bytes.ts'
import type { Bucket } from './bucket.ts'
import { sha256Of } from './digests.ts'
import type { StoredUpload, UploadPart, UploadParts } from './upload-parts.ts'

/** Bytes of a part: the least that a store takes for one that is not the last. A part is a leaf of the digest. */
export const UPLOAD_PART = DIGEST_LEAF

interface S3UploadBytesOptions {
  readonly bucket: Bucket
  /** What each name in the bucket begins with. */
  readonly root: string
  readonly prefix: UploadPrefix
  readonly parts: UploadParts
}

const nothing: StoredUpload = { stored: 0, finished: null, storeId: null, tailSize: 0, parts: [] }

/** Other bytes were stored meanwhile: the caller's lock did not last. */
const overtaken = () => ERRORS.ERR_LOCK_TIMEOUT

export const createS3UploadBytes = (options: S3UploadBytesOptions): UploadBytes => new S3UploadBytes(options)

class S3UploadBytes implements UploadBytes {
  readonly #bucket: Bucket
  readonly #root: string
  readonly #prefix: UploadPrefix
  readonly #parts: UploadParts

  constructor({ bucket, root, prefix, parts }: S3UploadBytesOptions) {
    this.#bucket = bucket
    this.#root = root
    this.#prefix = prefix
    this.#parts = parts
  }

  async create(id: string): Promise<void> {
    // An expired upload that is created again has no bytes of the earlier one.
    if ((await this.#find(id)).stored > 0) await this.remove(id)
  }

  async offsetOf(id: string): Promise<number> {
    const { finished, stored } = await this.#find(id)
    return finished ?? stored
  }

  async append(id: string, offset: number, length: number | null, pieces: Pieces): Promise<number> {
    let upload = await this.#find(id)
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
    let upload = await this.#find(id)
    if (upload.stored !== offset) upload = await this.#endAt(id, upload, offset)
    await this.#addPart(id, upload, await readFile(file))
  }

  async cutAt(id: string, length: number): Promise<void> {
    await this.#endAt(id, await this.#find(id), length)
  }

  async complete(id: string): Promise<void> {
    let upload = await this.#find(id)
    const size = upload.finished ?? upload.stored
    const hasPieces = upload.storeId !== null || upload.tailSize > 0
    // Stored at once, complete since an earlier call, or stored elsewhere: pieces that are left of it are not the upload.
    if (!hasPieces || upload.stored !== size) return this.#mustHave(id, upload, size)
    const tail = await this.#readTail(id, upload)
    if (upload.storeId === null) await this.#bucket.put(this.#nameOf(id), tail)
    else {
      if (tail.length > 0) upload = await this.#addPart(id, upload, tail)
      await this.#join(id, upload)
    }
    await this.#parts.completed(id, upload.storeId, await digestOf(upload.parts))
    await this.#removeTails(id)
  }

  async remove(id: string): Promise<void> {
    await this.#parts.clear(id)
    await this.#removeTails(id)
    for await (const page of this.#bucket.begun(this.#nameOf(id)))
      for (const it of page) await this.#bucket.abort(it.key, it.id)
    await this.#bucket.remove([this.#nameOf(id)])
  }

  #nameOf(id: string): string {
    return `${this.#root}${checkKey(`${this.#prefix}/${id}`)}`
  }

  #tailOf(id: string, stored: number): string {
    return `${this.#nameOf(id)}.tail.${stored}`
  }

  async #find(id: string): Promise<StoredUpload> {
    return (await this.#parts.find(id)) ?? nothing
  }

  async #sizeOf(id: string): Promise<number | undefined> {
    return (await this.#bucket.facts(this.#nameOf(id)))?.size
  }

  /** Checks that there is the object. One without bytes is made. @throws LostBytes */
  async #mustHave(id: string, upload: StoredUpload, size: number): Promise<void> {
    if ((await this.#sizeOf(id)) === size) return
    if (size > 0) await this.#lose(id, upload)
    await this.#bucket.put(this.#nameOf(id), Buffer.alloc(0))
  }

  async #storeIdOf(id: string, { stored, storeId }: StoredUpload): Promise<string> {
    if (storeId !== null) return storeId
    const begun = await this.#bucket.begin(this.#nameOf(id))
    if (await this.#parts.begin(id, stored, begun)) return begun
    await this.#bucket.abort(this.#nameOf(id), begun)
    throw overtaken()
  }

  /** Stores the next part, and counts it. @returns the upload as it is then */
  async #addPart(id: string, upload: StoredUpload, bytes: Buffer): Promise<StoredUpload> {
    const last = upload.parts.at(-1)
    const start = upload.stored - upload.tailSize
    if ((last ? last.start + last.size : 0) !== start) return this.#lose(id, upload)
    const storeId = await this.#storeIdOf(id, upload)
    const no = upload.parts.length + 1
    const sha256 = sha256Of(bytes)
    const stored = await this.#bucket.putPart(this.#nameOf(id), storeId, no, bytes, sha256)
    if (!stored) return this.#lose(id, upload)
    const part = { no, start, size: bytes.length, etag: stored.etag, sha256: sha256.toString('base64') }
    if (!(await this.#parts.add(id, upload.stored, part))) throw overtaken()
    if (upload.tailSize > 0) await this.#bucket.remove([this.#tailOf(id, upload.stored)])
    return { ...upload, stored: start + bytes.length, storeId, tailSize: 0, parts: [...upload.parts, part] }
  }

  /** Stores bytes that are too few for a part under a new name, and only then removes the earlier tail. */
  async #setTail(id: string, upload: StoredUpload, bytes: Buffer): Promise<StoredUpload> {
    const stored = upload.stored - upload.tailSize + bytes.length
    await this.#bucket.put(this.#tailOf(id, stored), bytes)
    if (!(await this.#parts.setTail(id, upload.stored, bytes.length))) throw overtaken()
    if (upload.tailSize > 0) await this.#bucket.remove([this.#tailOf(id, upload.stored)])
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
    await this.#bucket.put(this.#nameOf(id), bytes)
    return this.#endAt(id, upload, end)
  }

  async #readTail(id: string, upload: StoredUpload): Promise<Buffer> {
    const { stored, tailSize } = upload
    if (tailSize === 0) return Buffer.alloc(0)
    const opened = await this.#bucket.open(this.#tailOf(id, stored))
    const bytes = opened && opened !== 'beyond' ? await buffer(opened.bytes) : Buffer.alloc(0)
    return bytes.length === tailSize ? bytes : this.#lose(id, upload)
  }

  /** Makes the object of its parts. An earlier call may have ended before it was recorded that there is one. */
  async #join(id: string, upload: StoredUpload): Promise<void> {
    if (await this.#bucket.complete(this.#nameOf(id), upload.storeId ?? '', upload.parts)) return
    if ((await this.#sizeOf(id)) !== upload.stored) await this.#lose(id, upload)
  }

  /**
   * Removes the parts of an upload that the store does not have, or no longer as they were counted. An object stays: another server may
   * have completed the upload meanwhile, which is why the store does not know its parts.
   */
  async #lose(id: string, upload: StoredUpload): Promise<never> {
    if (!(await this.#parts.lose(id, upload.stored, upload.storeId))) throw overtaken()
    if (upload.storeId !== null) await this.#bucket.abort(this.#nameOf(id), upload.storeId)
    await this.#removeTails(id)
    throw new LostBytes(`the store has lost bytes of the upload ${id}`)
  }

  async #endAt(id: string, upload: StoredUpload, offset: number): Promise<StoredUpload> {
    if (!(await this.#parts.endAt(id, upload.stored, offset))) throw overtaken()
    return this.#find(id)
  }

  async #removeTails(id: string): Promise<void> {
    for await (const page of this.#bucket.keys(`${this.#nameOf(id)}.tail.`)) await this.#bucket.remove(page)
  }
}

/**
 * The composite SHA-256 of an object, from the digests of its parts.
 * @returns undefined when its parts are not leaves, as those of numbered chunks, or when it has none
 */
async function digestOf(parts: readonly UploadPart[]): Promise<string | undefined> {
  const areLeaves = parts.every(
    ({ start, size }, i) => start === i * DIGEST_LEAF && (size === DIGEST_LEAF || i === parts.length - 1),
  )
  if (parts.length === 0 || !areLeaves) return undefined
  return compositeDigest(parts.map(({ sha256 }) => Buffer.from(sha256, 'base64')))
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
