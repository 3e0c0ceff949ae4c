// Reads parts of a file to recognise its kind, within limits of reads and bytes.
import { type FileHandle, open } from 'node:fs/promises'

/** Reads that one recognition may do. A fragmented video needs one for each box. */
const MAX_READS = 40_000
/** Bytes that one recognition may read. */
const MAX_BYTES = 16 * 1024 * 1024
/** Bytes of the beginning of a file, which is read once. */
const HEAD = 64 * 1024

export interface FileBytes {
  /** Bytes of the whole file. */
  readonly size: number
  /** The first 64 KiB, or the whole of a shorter file. */
  readonly head: Buffer
  /**
   * Bytes from an offset; fewer at the end of the file.
   * @throws LimitReached when the file would need more reads than recognition may do
   */
  at(offset: number, length: number): Promise<Buffer>
}

/** The structure of a file is larger than recognition may read. */
export class LimitReached extends Error {}

/** Opens a file, passes its bytes to a reader, and closes it. */
export async function withBytes<T>(file: string, read: (bytes: FileBytes) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r')
  try {
    return await read(await bytesOf(handle))
  } finally {
    await handle.close()
  }
}

async function bytesOf(handle: FileHandle): Promise<FileBytes> {
  const { size } = await handle.stat()
  let reads = 0
  let bytes = 0
  const at = async (offset: number, length: number): Promise<Buffer> => {
    reads += 1
    bytes += length
    if (reads > MAX_READS || bytes > MAX_BYTES) throw new LimitReached()
    const wanted = Math.max(0, Math.min(length, size - offset))
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(wanted), 0, wanted, offset)
    return buffer.subarray(0, bytesRead)
  }
  const head = await at(0, HEAD)
  return {
    size,
    head,
    at: async (offset, length) =>
      offset + length <= head.length ? head.subarray(offset, offset + length) : at(offset, length),
  }
}
