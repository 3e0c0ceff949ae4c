// Bytes of uploads that arrive in numbered chunks, one file each.
import { truncate } from 'node:fs/promises'
import path from 'node:path'
import { placeDurably } from './durable.ts'

export interface UploadBytes {
  /** Writes a temporary file's bytes at an offset of an upload, which then ends with them; durable when it returns. */
  place(id: string, offset: number, file: string): Promise<void>
  /** Cuts an upload off after so many bytes. */
  cutAt(id: string, length: number): Promise<void>
}

/** @param folder the folder of the uploads */
export function createDiskUploadBytes(folder: string): UploadBytes {
  return {
    place: (id, offset, file) => placeDurably(file, path.join(folder, id), offset),
    cutAt: (id, length) => truncate(path.join(folder, id), length),
  }
}
