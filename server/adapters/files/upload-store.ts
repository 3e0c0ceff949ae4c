// The store of @tus/server: metadata is in the database, bytes are in a port.
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { offsetOfParts, type PartBytes } from './part-bytes.ts'
import { LostBytes, type Pieces, type UploadBytes } from './upload-bytes.ts'

export interface UploadFacts {
  readonly length: number | null
  readonly metadata: Record<string, string | null>
  readonly createdAt: Date
  readonly expired: boolean
  readonly finished: boolean
  /** Whether it is for an identity check. */
  readonly isDocument: boolean
  /** Whether its bytes arrive as numbered parts. */
  readonly numbered: boolean
}

/** Names an upload, and by its purpose where its bytes are. */
export interface UploadRef extends Pick<UploadFacts, 'isDocument' | 'numbered'> {
  readonly id: string
}

/** Where the bytes of uploads are. */
export interface BytesOfUploads {
  readonly uploadBytes: UploadBytes
  readonly documentBytes: UploadBytes
  readonly partBytes: PartBytes
}

/** The functions of the database that the store needs. */
export interface UploadFactsPort {
  find(id: string): Promise<UploadFacts | undefined>
  setLength(id: string, length: number): Promise<void>
  /** Records that all bytes are durable. */
  finish(id: string): Promise<void>
  /** Throws when the upload must stay. */
  remove(id: string): Promise<void>
}

export class UploadStore extends DataStore {
  readonly #facts: UploadFactsPort
  readonly #bytes: BytesOfUploads

  constructor(facts: UploadFactsPort, bytes: BytesOfUploads) {
    super()
    this.#facts = facts
    this.#bytes = bytes
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    // The stored metadata decide: those of the request may differ from them.
    const bytes = this.#bytesOf(await this.#factsOf(upload.id))
    await bytes.create(upload.id)
    if (upload.size === 0) await bytes.complete(upload.id)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const facts = await this.#factsOf(id)
    if (facts.expired) throw ERRORS.FILE_NO_LONGER_EXISTS
    // The object of a finished upload decides, which its parts have become.
    const upload = { id, isDocument: facts.isDocument, numbered: facts.numbered && !facts.finished }
    let offset = await this.offsetOf(upload)
    // The server may have crashed between storing the last byte and recording it.
    if (offset === facts.length && !facts.finished)
      await this.finish(upload).catch((error: unknown) => {
        if (!(error instanceof LostBytes)) throw error
        offset = 0
      })
    return new Upload({
      id,
      ...(facts.length === null ? {} : { size: facts.length }),
      offset,
      metadata: facts.metadata,
      creation_date: facts.createdAt.toISOString(),
    })
  }

  /** How many bytes are durable without a gap. */
  async offsetOf(upload: UploadRef): Promise<number> {
    if (upload.numbered) return offsetOfParts(await this.#bytes.partBytes.storedOf(checked(upload.id)))
    return this.#bytesOf(upload).offsetOf(checked(upload.id))
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const { length, isDocument, numbered } = await this.#factsOf(id)
    return this.append({ id, isDocument, numbered }, offset, length, one(readable as AsyncIterable<Buffer>))
  }

  /**
   * Stores bytes in order, and records when they are all.
   * @param length announced length of the whole upload
   * @returns the new offset
   * @throws ERRORS.ERR_LOCK_TIMEOUT when other bytes were stored meanwhile, LostBytes
   */
  async append(upload: UploadRef, offset: number, length: number | null, pieces: Pieces): Promise<number> {
    const end = await this.#bytesOf(upload).append(checked(upload.id), offset, length, pieces)
    if (end === length) await this.finish(upload)
    return end
  }

  /** Makes stored bytes the object of the upload, and records that they are all. @throws LostBytes */
  async finish(upload: UploadRef): Promise<void> {
    const bytes = upload.numbered ? this.#bytes.partBytes : this.#bytesOf(upload)
    await bytes.complete(upload.id)
    await this.#facts.finish(upload.id)
  }

  override declareUploadLength(id: string, length: number): Promise<void> {
    return this.#facts.setLength(id, length)
  }

  /** Deletes an upload, its row first, since only the row shows whether the upload is held. */
  override async remove(id: string): Promise<void> {
    const bytes = this.#bytesOf(await this.#factsOf(id))
    await this.#facts.remove(id)
    await bytes.remove(id)
  }

  async #factsOf(id: string): Promise<UploadFacts> {
    const facts = await this.#facts.find(checked(id))
    if (!facts) throw ERRORS.FILE_NOT_FOUND
    return facts
  }

  #bytesOf({ isDocument }: Pick<UploadFacts, 'isDocument'>): UploadBytes {
    return isDocument ? this.#bytes.documentBytes : this.#bytes.uploadBytes
  }
}

/** @throws ERRORS.FILE_NOT_FOUND for text that is no id, which could name another file */
function checked(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw ERRORS.FILE_NOT_FOUND
  return id
}

async function* one(readable: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[], void> {
  for await (const bytes of readable) yield [bytes]
}
