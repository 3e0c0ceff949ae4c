// The objects of uploads that grow in a bucket: parts, tails and the whole.
import { buffer } from 'node:stream/consumers'
import { ERRORS } from '@tus/server'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { checkKey, type UploadPrefix } from '#server/adapters/files/object-store.ts'
import { LostBytes } from '#server/adapters/files/upload-bytes.ts'
import type { StoredUpload, UploadPart, UploadParts } from '#server/adapters/files/upload-parts.ts'
import type { Bucket } from './bucket.ts'
import { sha256Of } from './digests.ts'

export interface UploadObjectsOptions {
  readonly bucket: Bucket
  /** What each name in the bucket begins with. */
  readonly root: string
  readonly prefix: UploadPrefix
  readonly parts: UploadParts
}

const nothing: StoredUpload = {
  numbered: false,
  stored: 0,
  finished: null,
  storeId: null,
  tailSize: 0,
  parts: [],
}

/** Other bytes were stored meanwhile: the caller's lock did not last. */
export const overtaken = () => ERRORS.ERR_LOCK_TIMEOUT

export class UploadObjects {
  readonly bucket: Bucket
  readonly rows: UploadParts
  readonly #root: string
  readonly #prefix: UploadPrefix

  constructor({ bucket, root, prefix, parts }: UploadObjectsOptions) {
    this.bucket = bucket
    this.rows = parts
    this.#root = root
    this.#prefix = prefix
  }

  async find(id: string): Promise<StoredUpload> {
    return (await this.rows.find(id)) ?? nothing
  }

  nameOf(id: string): string {
    return `${this.#root}${checkKey(`${this.#prefix}/${id}`)}`
  }

  /** The object of bytes that are too few for a part. @param end the byte of the upload after them */
  tailOf(id: string, end: number): string {
    return `${this.nameOf(id)}.tail.${end}`
  }

  /** @param size bytes of the tail @returns none for a tail without bytes @throws LostBytes */
  async readTail(
    id: string,
    upload: StoredUpload,
    { end, size }: { end: number; size: number },
  ): Promise<Buffer> {
    if (size === 0) return Buffer.alloc(0)
    const opened = await this.bucket.open(this.tailOf(id, end))
    const bytes = opened && opened !== 'beyond' ? await buffer(opened.bytes) : Buffer.alloc(0)
    return bytes.length === size ? bytes : this.lose(id, upload)
  }

  async removeTail(id: string, end: number): Promise<void> {
    await this.bucket.remove([this.tailOf(id, end)])
  }

  async removeTails(id: string): Promise<void> {
    for await (const page of this.bucket.keys(`${this.nameOf(id)}.tail.`)) await this.bucket.remove(page)
  }

  /** Stores bytes as a part of the store; its row is not changed. @throws LostBytes */
  async putPart(
    id: string,
    upload: StoredUpload & { readonly storeId: string },
    { no, start, bytes }: { no: number; start: number; bytes: Buffer },
  ): Promise<UploadPart> {
    const sha256 = sha256Of(bytes)
    const stored = await this.bucket.putPart(this.nameOf(id), upload.storeId, no, bytes, sha256)
    if (!stored) return this.lose(id, upload)
    return { no, start, size: bytes.length, etag: stored.etag, sha256: sha256.toString('base64') }
  }

  /** By which the store knows the upload, which begins there when it has not begun yet. */
  async storeIdOf(id: string, { stored, storeId }: StoredUpload): Promise<string> {
    if (storeId !== null) return storeId
    const begun = await this.bucket.begin(this.nameOf(id))
    if (await this.rows.begin(id, stored, begun)) return begun
    await this.bucket.abort(this.nameOf(id), begun)
    throw overtaken()
  }

  /** As `storeIdOf`, also when another part has begun the upload there meanwhile. */
  async sharedStoreId(id: string, upload: StoredUpload): Promise<string> {
    try {
      return await this.storeIdOf(id, upload)
    } catch (error) {
      const { storeId } = await this.find(id)
      if (error !== ERRORS.ERR_LOCK_TIMEOUT || storeId === null) throw error
      return storeId
    }
  }

  /** Makes the object of its parts. An earlier call may have ended before it was recorded that there is one. */
  async join(id: string, upload: StoredUpload, size: number): Promise<void> {
    if (await this.bucket.complete(this.nameOf(id), upload.storeId ?? '', upload.parts)) return
    if ((await this.sizeOf(id)) !== size) await this.lose(id, upload)
  }

  async sizeOf(id: string): Promise<number | undefined> {
    return (await this.bucket.facts(this.nameOf(id)))?.size
  }

  /** Checks that there is the object. One without bytes is made. @throws LostBytes */
  async mustHave(id: string, upload: StoredUpload, size: number): Promise<void> {
    if ((await this.sizeOf(id)) === size) return
    if (size > 0) await this.lose(id, upload)
    await this.bucket.put(this.nameOf(id), Buffer.alloc(0))
  }

  /**
   * Removes the parts of an upload that the store does not have, or no longer as they were counted. An object stays: another server may
   * have completed the upload meanwhile, which is why the store does not know its parts.
   */
  async lose(id: string, upload: StoredUpload): Promise<never> {
    if (!(await this.rows.lose(id, upload.stored, upload.storeId))) throw overtaken()
    if (upload.storeId !== null) await this.bucket.abort(this.nameOf(id), upload.storeId)
    await this.removeTails(id)
    throw new LostBytes(`the store has lost bytes of the upload ${id}`)
  }
}

/**
 * The composite SHA-256 of an object, from the digests of its parts.
 * @returns undefined when its parts are not leaves, as those of numbered chunks, or when it has none
 */
export async function digestOfParts(parts: readonly UploadPart[]): Promise<string | undefined> {
  const areLeaves = parts.every(
    ({ start, size }, i) => start === i * DIGEST_LEAF && (size === DIGEST_LEAF || i === parts.length - 1),
  )
  if (parts.length === 0 || !areLeaves) return undefined
  return compositeDigest(parts.map(({ sha256 }) => Buffer.from(sha256, 'base64')))
}
