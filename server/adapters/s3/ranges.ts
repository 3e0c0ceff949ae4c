// Reads parts of an object by ranges, or the whole of it from a copy.
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ObjectPart } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import type { ByteSource } from '#contract/kinds/file-bytes.ts'
import { withFile } from '#server/adapters/files/with-file.ts'

/** Least bytes of a range: a request for fewer takes as long. */
const RANGE = 64 * 1024
/** Ranges after which the whole object is copied: a fragmented video may need thousands. */
const RANGES = 16

interface RangedObject {
  /** Bytes. */
  readonly size: number
  readonly scratch: Scratch
  /** Reads a part; all its bytes by default. A lost connection is no error. */
  readonly read: (part?: ObjectPart) => AsyncIterable<Buffer>
}

/** Runs work on a temporary file with these bytes. */
export async function withCopy<T>(
  scratch: Scratch,
  bytes: AsyncIterable<Buffer>,
  work: (file: string) => Promise<T>,
): Promise<T> {
  await scratch.room.mustHave()
  const file = scratch.newPath()
  try {
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }))
    return await work(file)
  } finally {
    await scratch.remove(file)
  }
}

/** The work read more ranges than are worth it. */
class TooManyRanges extends Error {}

/** Runs work on the bytes of an object. Work that reads too many ranges runs once more, on a copy. */
export async function withRanges<T>(
  { size, scratch, read }: RangedObject,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  try {
    return await work({ size, read: rangesOf(size, read) })
  } catch (error) {
    if (!(error instanceof TooManyRanges)) throw error
  }
  return withCopy(scratch, read(), (file) => withFile(file, work))
}

function rangesOf(size: number, read: RangedObject['read']): ByteSource['read'] {
  const known: { readonly start: number; readonly bytes: Buffer }[] = []
  return async (offset, length) => {
    const found = known.find(({ start, bytes }) => start <= offset && offset + length <= start + bytes.length)
    if (found) return found.bytes.subarray(offset - found.start, offset - found.start + length)
    if (known.length === RANGES) throw new TooManyRanges()
    const end = Math.min(size, offset + Math.max(length, RANGE))
    const bytes = await buffer(read({ start: offset, end }))
    known.push({ start: offset, bytes })
    return bytes.subarray(0, length)
  }
}
