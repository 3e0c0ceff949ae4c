// Bytes of uploads whose numbered parts arrive in any order.
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ERRORS } from '@tus/server'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import type { DiskRoom } from './disk-room.ts'
import { syncFile } from './durable.ts'
import { partsFileOf } from './parts-file.ts'
import { isMissing, lost, type Pieces, sizeOf, writeAll } from './upload-bytes.ts'
import type { StoredUpload, UploadPart, UploadParts } from './upload-parts.ts'

/** A part of an upload. */
export interface PartPlace {
  /** Of the upload. */
  readonly id: string
  /** From 1, in the order of the bytes. */
  readonly no: number
  /** Bytes of the whole part. */
  readonly size: number
}

/** Bytes that arrive for a part. */
export interface PartBody {
  readonly pieces: Pieces
  /** Whether no byte counts before the last one has come: `pieces` throws after it when their digest is another. */
  readonly isChecked: boolean
}

/** All methods expect the id of an upload whose row exists. */
export interface PartBytes {
  /** Changes an upload to numbered parts; what is stored of it in order stays. Only under the upload's lock. */
  number(id: string): Promise<void>
  /** How many bytes of each part are stored, by its number; a part without bytes may be missing. */
  storedOf(id: string): Promise<ReadonlyMap<number, number>>
  /**
   * Stores bytes of a part. One caller at a time for each part. When the pieces of a checked body throw, none of its bytes count.
   * @param stored how many bytes of the part are stored: the body begins after them
   * @returns how many are durable then
   * @throws NoRoom, LostBytes, ERRORS.ERR_LOCK_TIMEOUT when other bytes of the part were stored meanwhile
   */
  write(part: PartPlace, stored: number, body: PartBody): Promise<number>
  /**
   * Makes whole parts the object of the upload. May be called again. Only under the upload's lock.
   * @throws LostBytes
   */
  complete(id: string): Promise<void>
}

/** How many bytes of an upload are stored without a gap. */
export function offsetOfParts(stored: ReadonlyMap<number, number>): number {
  let no = 1
  while (stored.get(no) === PART_BYTES) no++
  return (no - 1) * PART_BYTES + (stored.get(no) ?? 0)
}

/** What rows say of each part. Bytes without rows of parts were made an object by an interrupted completion. */
export function storedIn({
  parts,
  stored,
}: Pick<StoredUpload, 'parts' | 'stored'>): ReadonlyMap<number, number> {
  return new Map((parts.length > 0 ? parts : partsUpTo(stored)).map(({ no, size }) => [no, size]))
}

/** The parts of so many bytes in order. */
export function partsUpTo(bytes: number): UploadPart[] {
  return Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, i) => {
    const start = i * PART_BYTES
    return { no: i + 1, start, size: Math.min(PART_BYTES, bytes - start), etag: '', sha256: '' }
  })
}

/** Bytes that all parts together have. */
export const bytesOfParts = (parts: readonly UploadPart[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0)

/** After this time bytes count while more arrive, ms: a server that is killed loses no more of a slow line than this. */
const COUNT_EVERY_MS = 2000

function openParts(file: string, onMissing: () => Promise<never>): Promise<FileHandle> {
  return open(partsFileOf(file), 'r+').catch((error: unknown) => {
    if (isMissing(error)) return onMissing()
    throw error
  })
}

/** Counts the bytes of a part while they arrive. @param keep makes them durable, and stores their number */
function createCounter(stored: number, keep: (size: number) => Promise<void>) {
  let [counted, countedAt] = [stored, Date.now()]
  return {
    isDue: () => Date.now() - countedAt >= COUNT_EVERY_MS,
    async count(size: number): Promise<void> {
      if (size === counted) return
      await keep(size)
      counted = size
      countedAt = Date.now()
    },
  }
}

/**
 * Parts in one file with holes, each at its place.
 * @param folder the folder of the uploads
 */
export function createDiskPartBytes(folder: string, room: DiskRoom, rows: UploadParts): PartBytes {
  const fileOf = (id: string) => path.join(folder, id)
  const find = async (id: string) => (await rows.find(id)) ?? { parts: [], stored: 0 }

  /** Stores that there are no bytes, and makes the file in which they arrive again. */
  async function lose(id: string): Promise<never> {
    await rows.lose(id, 0, null)
    await writeFile(partsFileOf(fileOf(id)), '', { flag: 'a' })
    throw lost(id)
  }

  return {
    async number(id) {
      const partsFile = partsFileOf(fileOf(id))
      const bytes = await sizeOf(fileOf(id))
      if (bytes > 0) await rename(fileOf(id), partsFile)
      else await writeFile(partsFile, '')
      await syncFile(partsFile)
      if (!(await rows.number(id, 0, partsUpTo(bytes)))) throw ERRORS.ERR_LOCK_TIMEOUT
    },
    async storedOf(id) {
      return storedIn(await find(id))
    },
    async write({ id, no }, stored, { pieces, isChecked }) {
      const start = (no - 1) * PART_BYTES
      const file = await openParts(fileOf(id), () => lose(id))
      const counter = createCounter(stored, async (size) => {
        await file.datasync()
        const kept = await rows.keep(id, null, { no, start, size, etag: '', sha256: '' })
        if (!kept) throw ERRORS.ERR_LOCK_TIMEOUT
      })
      let size = stored
      try {
        for await (const parts of pieces) {
          await room.mustHave()
          size += await writeAll(file, parts, start + size)
          if (!isChecked && counter.isDue()) await counter.count(size)
        }
        await counter.count(size)
      } finally {
        await file.close()
      }
      return size
    },
    async complete(id) {
      const file = fileOf(id)
      const { parts, stored } = await find(id)
      const bytes = parts.length > 0 ? bytesOfParts(parts) : stored
      if ((await sizeOf(partsFileOf(file))) === bytes) await rename(partsFileOf(file), file)
      else if ((await sizeOf(file)) !== bytes) await lose(id)
      await syncFile(file)
      await rows.completed(id, null, undefined)
    },
  }
}
