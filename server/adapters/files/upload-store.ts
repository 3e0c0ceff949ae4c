// Stores the bytes of resumable uploads, one file each; metadata is in the database.
import { type FileHandle, open, rm, stat, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { FileStore } from '@tus/file-store'
import { ERRORS, Upload } from '@tus/server'
import type { DiskRoom } from './disk-room.ts'
import { syncFile } from './durable.ts'

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
  /** Records that the last byte is on the disk. */
  finish(id: string): Promise<void>
  /** Throws when the upload must stay. */
  remove(id: string): Promise<void>
}

export class UploadStore extends FileStore {
  readonly #facts: UploadFactsPort
  readonly #room: DiskRoom

  constructor(directory: string, facts: UploadFactsPort, room: DiskRoom) {
    super({ directory })
    this.#facts = facts
    this.#room = room
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination']
  }

  #path(id: string): string {
    if (!/^[0-9a-f-]{36}$/.test(id)) throw ERRORS.FILE_NOT_FOUND
    return `${this.directory}/${id}`
  }

  override async create(upload: Upload): Promise<Upload> {
    const file = this.#path(upload.id)
    await writeFile(file, '')
    await syncFile(file)
    upload.storage = { type: 'file', path: file }
    return upload
  }

  override async getUpload(id: string): Promise<Upload> {
    const facts = await this.#facts.find(id)
    if (!facts) throw ERRORS.FILE_NOT_FOUND
    if (facts.expired) throw ERRORS.FILE_NO_LONGER_EXISTS
    const offset = await this.offsetOf(id)
    // The server may have crashed between writing the last byte and recording it.
    if (offset === facts.length && !facts.finished) await this.#facts.finish(id)
    return new Upload({
      id,
      ...(facts.length === null ? {} : { size: facts.length }),
      offset,
      metadata: facts.metadata,
      creation_date: facts.createdAt.toISOString(),
      storage: { type: 'file', path: this.#path(id) },
    })
  }

  /** Bytes on the disk. A row without a file is an upload whose creation was interrupted: it starts at byte 0. */
  async offsetOf(id: string): Promise<number> {
    const file = this.#path(id)
    try {
      return (await stat(file)).size
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      await writeFile(file, '', { flag: 'a' })
      return 0
    }
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const facts = await this.#facts.find(id)
    return this.append(id, offset, facts?.length ?? null, one(readable as AsyncIterable<Buffer>))
  }

  /**
   * Writes bytes as they arrive, so that an interruption loses none; returns when the last byte is durable.
   * @param length announced length of the whole upload
   * @returns the new offset
   * @throws NoRoom as soon as too little of the disk is free; earlier bytes stay
   */
  async append(
    id: string,
    offset: number,
    length: number | null,
    pieces: AsyncIterable<readonly Buffer[]>,
  ): Promise<number> {
    const file = await open(this.#path(id), 'r+')
    let end = offset
    try {
      for await (const parts of pieces) {
        await this.#room.mustHave()
        end += await writeAll(file, parts, end)
      }
    } finally {
      await file.close()
    }
    if (end === length) {
      await syncFile(this.#path(id))
      await this.#facts.finish(id)
    }
    return end
  }

  override declareUploadLength(id: string, length: number): Promise<void> {
    return this.#facts.setLength(id, length)
  }

  /** Deletes an upload, its row first, since only the row shows whether the upload is held. */
  override async remove(id: string): Promise<void> {
    const file = this.#path(id)
    await this.#facts.remove(id)
    await rm(file, { force: true })
  }
}

async function* one(readable: AsyncIterable<Buffer>): AsyncGenerator<readonly Buffer[], void> {
  for await (const bytes of readable) yield [bytes]
}

/** Writes all bytes. A disk that fills up writes only some: writing the rest then throws the reason. */
async function writeAll(file: FileHandle, parts: readonly Buffer[], at: number): Promise<number> {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  let done = (await file.writev(parts, at)).bytesWritten
  if (done === size) return size
  const whole = Buffer.concat(parts)
  while (done < size) done += (await file.write(whole, done, size - done, at + done)).bytesWritten
  return size
}
