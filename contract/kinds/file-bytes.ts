// Reads parts of a file to recognise its kind, within limits of reads and bytes.
import { Bytes } from './bytes.ts'

/** Reads that one recognition may do. A fragmented video needs one for each box. */
const MAX_READS = 40_000
/** Bytes that one recognition may read. */
const MAX_BYTES = 16 * 1024 * 1024
/** Bytes of the beginning of a file, which is read once. */
const HEAD = 64 * 1024

/** Bytes that can be read at any offset. */
export interface ByteSource {
  /** All its bytes. */
  readonly size: number
  /** Bytes from an offset, which are there. */
  read(offset: number, length: number): Promise<Uint8Array>
}

export interface FileBytes {
  /** Bytes of the whole file. */
  readonly size: number
  /** The first 64 KiB, or the whole of a shorter file. */
  readonly head: Bytes
  /**
   * Bytes from an offset; fewer at the end of the file.
   * @throws LimitReached when the file would need more reads than recognition may do
   */
  at(offset: number, length: number): Promise<Bytes>
}

/** The structure of a file is larger than recognition may read. */
export class LimitReached extends Error {}

/** The bytes of a file in a browser. */
export function blobSource(blob: Blob): ByteSource {
  return {
    size: blob.size,
    read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
  }
}

/** The bytes of a source within the limits of a recognition. */
export async function bytesOf({ size, read }: ByteSource): Promise<FileBytes> {
  let reads = 0
  let bytes = 0
  const at = async (offset: number, length: number): Promise<Bytes> => {
    reads += 1
    bytes += length
    if (reads > MAX_READS || bytes > MAX_BYTES) throw new LimitReached()
    const wanted = Math.max(0, Math.min(length, size - offset))
    return new Bytes(wanted === 0 ? new Uint8Array(0) : await read(offset, wanted))
  }
  const head = await at(0, HEAD)
  return {
    size,
    head,
    at: async (offset, length) =>
      offset + length <= head.length ? head.part(offset, offset + length) : at(offset, length),
  }
}
