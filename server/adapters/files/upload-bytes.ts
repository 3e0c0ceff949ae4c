// Bytes of uploads while they grow.
import { type FileHandle, open, rm, stat, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ERRORS } from '@tus/server'
import type { DiskRoom } from './disk-room.ts'
import { placeDurably, syncFile } from './durable.ts'
import { partsFileOf } from './parts-file.ts'

/** Bytes as they arrive. */
export type Pieces = AsyncIterable<readonly Buffer[]>

/** The store has lost bytes of an upload: it has none now, and is sent again from the beginning. */
export class LostBytes extends Error {}

/** All methods expect the id of an upload whose row exists, and that one caller at a time changes it. */
export interface UploadBytes {
  /** Stores that there is an upload without bytes. */
  create(id: string): Promise<void>
  /** How many bytes are durable. An upload whose creation was interrupted has none. */
  offsetOf(id: string): Promise<number>
  /**
   * Stores bytes as they arrive, so that an interruption loses none that were acknowledged.
   * @param offset how many bytes are durable
   * @param length of the whole upload, when it is known
   * @returns the new offset
   * @throws NoRoom as soon as too little of the disk is free; earlier bytes stay
   * @throws LostBytes
   */
  append(id: string, offset: number, length: number | null, pieces: Pieces): Promise<number>
  /**
   * Stores a temporary file's bytes at an offset of an upload, which then ends with them; durable when it returns.
   * @throws LostBytes
   */
  place(id: string, offset: number, file: string): Promise<void>
  /** Cuts an upload off after so many bytes, which is where an earlier call of `place` began. */
  cutAt(id: string, length: number): Promise<void>
  /**
   * Makes all bytes durable as the object of the upload. May be called again.
   * @throws LostBytes
   */
  complete(id: string): Promise<void>
  remove(id: string): Promise<void>
}

/** Reads pieces that must have no bytes, since their upload has all. @throws ERRORS.ERR_LOCK_TIMEOUT for others */
export async function mustBeEmpty(pieces: Pieces): Promise<void> {
  for await (const parts of pieces) if (parts.some((it) => it.length > 0)) throw ERRORS.ERR_LOCK_TIMEOUT
}

/** Whether a file does not exist. */
export const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** @param folder the folder of the uploads */
export function createDiskUploadBytes(folder: string, room: DiskRoom): UploadBytes {
  const fileOf = (id: string) => path.join(folder, id)
  return {
    async create(id) {
      await writeFile(fileOf(id), '')
      await syncFile(fileOf(id))
    },
    async offsetOf(id) {
      try {
        return (await stat(fileOf(id))).size
      } catch (error) {
        if (!isMissing(error)) throw error
        await writeFile(fileOf(id), '', { flag: 'a' })
        return 0
      }
    },
    async append(id, offset, _length, pieces) {
      const file = await open(fileOf(id), 'r+')
      let end = offset
      try {
        for await (const parts of pieces) {
          await room.mustHave()
          end += await writeAll(file, parts, end)
        }
      } finally {
        await file.close()
      }
      return end
    },
    async place(id, offset, file) {
      // Bytes after those that are missing would follow a hole, and the upload would look whole.
      if (offset > 0 && (await sizeOf(fileOf(id))) < offset) throw lost(id)
      await placeDurably(file, fileOf(id), offset)
    },
    cutAt: (id, length) => truncate(fileOf(id), length),
    async complete(id) {
      try {
        await syncFile(fileOf(id))
      } catch (error) {
        throw isMissing(error) ? lost(id) : error
      }
    },
    async remove(id) {
      for (const it of [fileOf(id), partsFileOf(fileOf(id))]) await rm(it, { force: true })
    },
  }
}

/** The error of a disk that has lost bytes of an upload. */
export const lost = (id: string) => new LostBytes(`the disk has lost bytes of the upload ${id}`)

/** @returns 0 for a file that does not exist */
export async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

/** Writes all bytes. A disk that fills up writes only some: writing the rest then throws the reason. */
export async function writeAll(file: FileHandle, parts: readonly Buffer[], at: number): Promise<number> {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  let done = (await file.writev(parts, at)).bytesWritten
  if (done === size) return size
  const whole = Buffer.concat(parts)
  while (done < size) done += (await file.write(whole, done, size - done, at + done)).bytesWritten
  return size
}
