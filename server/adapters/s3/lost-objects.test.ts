// Uploads whose row and whose bytes in a store differ.
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { LostBytes } from '#server/adapters/files/upload-bytes.ts'
import { noise } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { memoryParts } from '#server/testing/s3/memory-parts.ts'
import { begunIn, keysIn, newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { type Bucket, createBucket } from './bucket.ts'
import { openS3Client } from './client.ts'
import { createS3UploadBytes, UPLOAD_PART } from './s3-upload-bytes.ts'
import type { UploadParts } from '#server/adapters/files/upload-parts.ts'

describe.skipIf(!cephAvailable())('an upload whose row says more than the store has', () => {
  let settings: S3Settings
  let bucket: Bucket
  beforeAll(async () => {
    settings = await newBuckets()
    bucket = createBucket(openS3Client(settings), settings.bucket)
  })

  const bytesOf = (parts: UploadParts) => createS3UploadBytes({ bucket, root: '', prefix: 'uploads', parts })
  const left = async (id: string) =>
    [...(await keysIn(settings, settings.bucket)), ...(await begunIn(settings, settings.bucket))].filter(
      (it) => it.includes(id),
    )
  /** Rows that say that the upload is finished. */
  const finishedOf = (parts: UploadParts, finished: number): UploadParts => ({
    ...parts,
    find: async (id) => {
      const found = await parts.find(id)
      return { numbered: false, stored: 0, storeId: null, tailSize: 0, parts: [], ...found, finished }
    },
  })
  async function* pieces(bytes: Buffer) {
    yield [bytes]
  }

  test('has no object after a completion, which says that its bytes are lost', async () => {
    const id = newId()
    await expect(bytesOf(finishedOf(memoryParts(), 1000)).complete(id)).rejects.toBeInstanceOf(LostBytes)
    expect(await left(id)).toEqual([])
  })

  test('and is not finished has none either, and is sent again from the beginning', async () => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(1000)]
    const bytes = bytesOf(parts)
    await bytes.append(id, 0, whole.length, pieces(whole))
    await bucket.remove([`uploads/${id}`])
    await expect(bytes.complete(id)).rejects.toBeInstanceOf(LostBytes)
    expect([await left(id), await bytes.offsetOf(id)]).toEqual([[], 0])
    await bytes.append(id, 0, whole.length, pieces(whole))
    await bytes.complete(id)
    expect(await left(id)).toEqual([`uploads/${id}`])
  })

  test('stays the object that is there, and not parts of an earlier time', async () => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(UPLOAD_PART + 1000)]
    await bytesOf(parts).append(id, 0, null, pieces(whole.subarray(0, UPLOAD_PART)))
    await bucket.put(`uploads/${id}`, whole)
    const bytes = bytesOf(finishedOf(parts, whole.length))
    expect(await bytes.offsetOf(id)).toBe(whole.length)
    await bytes.complete(id)
    const opened = await bucket.open(`uploads/${id}`)
    const found = opened && opened !== 'beyond' ? await buffer(opened.bytes) : Buffer.alloc(0)
    expect(found.equals(whole)).toBe(true)
  })

  test('takes no bytes once it is finished', async () => {
    const [id, parts] = [newId(), memoryParts()]
    const bytes = bytesOf(finishedOf(parts, 1000))
    await expect(bytes.append(id, 1000, 1000, pieces(noise(10)))).rejects.toBeDefined()
    expect(await bytes.append(id, 1000, 1000, pieces(Buffer.alloc(0)))).toBe(1000)
    expect(await left(id)).toEqual([])
  })
})
