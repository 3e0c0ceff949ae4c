// Stores a local file in a bucket, a large one in parts.
import { open, readFile, stat } from 'node:fs/promises'
import type { Bucket, StoredPart } from './bucket.ts'
import { sha256Of } from './digests.ts'

/** Bytes of a part, and of the largest file that is stored at once. At most 10,000 parts make an object. */
export const PUT_PART = 16 * 1024 * 1024

/** The file is read part by part, so that a failed request can be repeated with the same bytes. */
export async function putFile(bucket: Bucket, key: string, file: string): Promise<void> {
  const { size } = await stat(file)
  if (size <= PUT_PART) return bucket.put(key, await readFile(file))
  const id = await bucket.begin(key)
  try {
    const isComplete = await bucket.complete(key, id, await putParts(bucket, { key, id, file, size }))
    if (!isComplete) throw lost(key)
  } catch (error) {
    // What stays after a failure of this too is removed by the lifecycle rule of the bucket.
    await bucket.abort(key, id).catch(() => undefined)
    throw error
  }
}

const lost = (key: string) => new Error(`the store does not know the parts of ${key} any more`)

interface Parts {
  readonly key: string
  readonly id: string
  readonly file: string
  readonly size: number
}

async function putParts(bucket: Bucket, { key, id, file, size }: Parts): Promise<StoredPart[]> {
  const handle = await open(file)
  try {
    const parts: StoredPart[] = []
    for (let start = 0; start < size; start += PUT_PART) {
      const bytes = Buffer.alloc(Math.min(PUT_PART, size - start))
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
      if (bytesRead < bytes.length) throw new Error(`${file} became shorter while it was stored`)
      const part = await bucket.putPart(key, id, parts.length + 1, bytes, sha256Of(bytes))
      if (!part) throw lost(key)
      parts.push(part)
    }
    return parts
  } finally {
    await handle.close()
  }
}
