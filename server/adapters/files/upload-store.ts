// The store of @tus/server: metadata is in the database, bytes are in a port.
import type { Readable } from 'node:stream'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { LostBytes, type Pieces, type UploadBytes } from './upload-bytes.ts'

export interface UploadFacts {
  readonly length: number | null
  readonly metadata: Record<string, string | null>
  readonly createdAt: Date
  readonly expired: boolean
  readonly finished: boolean
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
  readonly #bytes: UploadBytes

  constructor(facts: UploadFactsPort, bytes: UploadBytes) {
    super()
    this.#facts = facts
    this.#bytes = bytes
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#bytes.create(checked(upload.id))
    if (upload.size === 0) await this.#bytes.complete(upload.id)
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const facts = await this.#facts.find(id)
    if (!facts) throw ERRORS.FILE_NOT_FOUND
    if (facts.expired) throw ERRORS.FILE_NO_LONGER_EXISTS
    let offset = await this.offsetOf(id)
    // The server may have crashed between storing the last byte and recording it.
    if (offset === facts.length && !facts.finished)
      await this.#finish(id).catch((error: unknown) => {
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

  /** How many bytes are durable. */
  offsetOf(id: string): Promise<number> {
    return this.#bytes.offsetOf(checked(id))
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const facts = await this.#facts.find(id)
    return this.append(id, offset, facts?.length ?? null, one(readable as AsyncIterable<Buffer>))
  }

  /**
   * Stores bytes, and records when they are all.
   * @param length announced length of the whole upload
   * @returns the new offset
   * @throws ERRORS.ERR_LOCK_TIMEOUT when other bytes were stored meanwhile, LostBytes
   */
  async append(id: string, offset: number, length: number | null, pieces: Pieces): Promise<number> {
    const end = await this.#bytes.append(checked(id), offset, length, pieces)
    if (end === length) await this.#finish(id)
    return end
  }

  override declareUploadLength(id: string, length: number): Promise<void> {
    return this.#facts.setLength(id, length)
  }

  /** Deletes an upload, its row first, since only the row shows whether the upload is held. */
  override async remove(id: string): Promise<void> {
    await this.#facts.remove(checked(id))
    await this.#bytes.remove(id)
  }

  async #finish(id: string): Promise<void> {
    await this.#bytes.complete(id)
    await this.#facts.finish(id)
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
