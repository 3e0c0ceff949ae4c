// Reads parts of an object by ranges, or the whole of it from a copy.
import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { NoObject, type ObjectKey } from '#server/adapters/files/object-store.ts'
import type { Scratch } from '#server/adapters/files/scratch.ts'
import { type ByteSource, withFile } from '#server/adapters/kinds/file-bytes.ts'
import type { Bucket } from './bucket.ts'

/** Least bytes of a range: a request for fewer takes as long. */
const RANGE = 64 * 1024
/** Ranges after which the whole object is copied: a fragmented video may need thousands. */
const RANGES = 16

interface RangedObject {
  readonly key: ObjectKey
  readonly scratch: Scratch
  /** All its bytes. */
  readonly read: () => AsyncIterable<Buffer>
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

/**
 * Runs work on the bytes of an object. Work that reads too many ranges runs once more, on a copy.
 * @param name of the object in the bucket
 * @throws NoObject
 */
export async function withRanges<T>(
  bucket: Bucket,
  name: string,
  { key, scratch, read }: RangedObject,
  work: (source: ByteSource) => Promise<T>,
): Promise<T> {
  const facts = await bucket.facts(name)
  if (!facts) throw new NoObject(key)
  try {
    return await work(rangesOf(bucket, name, facts, key))
  } catch (error) {
    if (!(error instanceof TooManyRanges)) throw error
  }
  return withCopy(scratch, read(), (file) => withFile(file, work))
}

function rangesOf(
  bucket: Bucket,
  name: string,
  { size, etag }: { readonly size: number; readonly etag: string },
  key: ObjectKey,
): ByteSource {
  const known: { readonly start: number; readonly bytes: Buffer }[] = []
  return {
    size,
    async read(offset, length) {
      const found = known.find(
        ({ start, bytes }) => start <= offset && offset + length <= start + bytes.length,
      )
      if (found) return found.bytes.subarray(offset - found.start, offset - found.start + length)
      if (known.length === RANGES) throw new TooManyRanges()
      const end = Math.min(size, offset + Math.max(length, RANGE))
      const opened = await bucket.open(name, { range: `bytes=${offset}-${end - 1}`, etag })
      if (!opened || opened === 'beyond') throw new NoObject(key)
      const bytes = await buffer(opened.bytes)
      known.push({ start: offset, bytes })
      return bytes.subarray(0, length)
    },
  }
}
