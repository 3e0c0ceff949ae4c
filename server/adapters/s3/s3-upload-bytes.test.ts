// Bytes of uploads in a store, while processes end between every two of its steps.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { compositeDigestOf } from '#server/adapters/files/digest.ts'
import { LostBytes, type UploadBytes } from '#server/adapters/files/upload-bytes.ts'
import { noise } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { memoryParts } from '#server/testing/s3/memory-parts.ts'
import { keysIn, newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { sampleOf } from '#server/testing/sample.ts'
import { type Bucket, createBucket } from './bucket.ts'
import { openS3Client } from './client.ts'
import { sha256Of } from './digests.ts'
import { createS3UploadBytes, UPLOAD_PART } from './s3-upload-bytes.ts'
import type { UploadParts } from '#server/adapters/files/upload-parts.ts'

const root = 'test/'
/** One code for both: the unit tests run the first, and `test:deep` both. */
const prefixes = sampleOf(['uploads', 'identity-uploads'] as const, 2)
/** Uploads that are sent at the same time. */
const AT_ONCE = 6

describe.skipIf(!cephAvailable()).each(prefixes)('bytes below %s in a store', (prefix) => {
  let settings: S3Settings
  let bucket: Bucket
  let folder: string
  beforeAll(async () => {
    settings = await newBuckets()
    bucket = createBucket(openS3Client(settings), settings.bucket)
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-parts-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const objectOf = async (id: string) => {
    const opened = await bucket.open(`${root}${prefix}/${id}`)
    return opened && opened !== 'beyond' ? buffer(opened.bytes) : undefined
  }
  const keysOf = async (id: string) =>
    (await keysIn(settings, settings.bucket)).filter((it) => it.includes(id))

  async function begunOf(id: string): Promise<string[]> {
    const ids: string[] = []
    for await (const page of bucket.begun(`${root}${prefix}/${id}`)) ids.push(...page.map((it) => it.id))
    return ids
  }

  async function* inPieces(bytes: Buffer, size = 400_000): AsyncGenerator<readonly Buffer[], void> {
    for (let at = 0; at < bytes.length; at += size) yield [bytes.subarray(at, at + size)]
  }

  async function* inBuffers(bytes: Buffer): AsyncGenerator<Buffer, void> {
    yield bytes
  }

  /** Methods that change nothing: a process that ends before or after them leaves what it found. */
  const reading = new Set<string | symbol>(['find', 'open', 'facts', 'begun', 'keys'])

  /** A process whose steps, changes of the store and of rows, end it at one of them: before it, or after it. */
  function processOf(parts: UploadParts, endsAt: number, when: 'before' | 'after') {
    let steps = 0
    const dying = <T extends object>(port: T): T =>
      new Proxy(port, {
        get(target, name) {
          const method = Reflect.get(target, name) as unknown
          if (typeof method !== 'function' || reading.has(name)) return method
          return async (...args: readonly unknown[]) => {
            const step = steps++
            if (step > endsAt || (step === endsAt && when === 'before')) throw new Ended()
            const result: unknown = await Reflect.apply(method, target, args)
            if (step === endsAt) throw new Ended()
            return result
          }
        },
      })
    const bytes = createS3UploadBytes({ bucket: dying(bucket), root, prefix, parts: dying(parts) })
    return { bytes, steps: () => steps }
  }
  class Ended extends Error {}

  /** Sends an upload as a device does: from the offset that the server says, until it has all. */
  async function send(bytes: UploadBytes, id: string, whole: Buffer, each: number): Promise<void> {
    for (let at = await bytes.offsetOf(id); at < whole.length;) {
      const piece = whole.subarray(at, at + each)
      at = await bytes.append(id, at, whole.length, inPieces(piece))
    }
    await bytes.complete(id)
  }

  test.each([
    ['requests of one part', UPLOAD_PART],
    ['small requests', 700_000],
    ['a request of several parts', 3 * UPLOAD_PART],
  ])('in %s are those that were sent', async (_, each) => {
    const [id, whole, digests] = [newId(), noise(2 * UPLOAD_PART + 123_456), new Map()]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts: memoryParts(digests) })
    await send(bytes, id, whole, each)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
    expect(digests.get(id)).toBe(await compositeDigestOf(inBuffers(whole)))
    expect(await keysOf(id)).toEqual([`${root}${prefix}/${id}`])
    expect(await begunOf(id)).toEqual([])
  })

  /** Sends an upload whose process ends at a step, and then goes on with a new process. @returns whether it ended */
  async function endAndGoOn(whole: Buffer, endsAt: number, when: 'before' | 'after'): Promise<boolean> {
    const [id, parts] = [newId(), memoryParts()]
    const { bytes, steps } = processOf(parts, endsAt, when)
    let acknowledged = 0
    const sent = (async () => {
      for (let at = 0; at < whole.length; acknowledged = at)
        at = await bytes.append(id, at, whole.length, inPieces(whole.subarray(at, at + 2_000_000)))
      await bytes.complete(id)
    })()
    await sent.catch((error: unknown) => {
      if (!(error instanceof Ended)) throw error
    })
    const next = createS3UploadBytes({ bucket, root, prefix, parts })
    const offset = await next.offsetOf(id)
    expect([endsAt, offset >= acknowledged, offset <= whole.length]).toEqual([endsAt, true, true])
    await send(next, id, whole, 2_000_000)
    expect([endsAt, (await objectOf(id))?.equals(whole)]).toEqual([endsAt, true])
    await next.remove(id)
    expect([endsAt, await keysOf(id), await begunOf(id)]).toEqual([endsAt, [], []])
    return steps() > endsAt
  }

  test.each(sampleOf(['before', 'after'] as const, 2, 1))(
    'survive a process that ends %s any of its steps: none that was acknowledged is lost, and no offset is a lie',
    async (when) => {
      const whole = noise(UPLOAD_PART + 1_300_000)
      let ended = true
      for (let first = 0; ended; first += AT_ONCE) {
        const steps = Array.from({ length: AT_ONCE }, (_, i) => first + i)
        ended = (await Promise.all(steps.map((it) => endAndGoOn(whole, it, when)))).every(Boolean)
        if (first === 0) expect(ended).toBe(true)
      }
      expect(ended).toBe(false)
    },
  )

  test('of a request whose connection is lost stay', async () => {
    const [id, whole] = [newId(), noise(UPLOAD_PART + 500_000)]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts: memoryParts() })
    async function* lost(): AsyncGenerator<readonly Buffer[], void> {
      yield* inPieces(whole.subarray(0, UPLOAD_PART + 300_000))
      throw new Error('the connection is lost')
    }
    await expect(bytes.append(id, 0, whole.length, lost())).rejects.toThrow('the connection is lost')
    expect(await bytes.offsetOf(id)).toBe(UPLOAD_PART + 300_000)
    await send(bytes, id, whole, UPLOAD_PART)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test('of a part that the store refused are sent again, and those after it do not take its place', async () => {
    const [id, whole] = [newId(), noise(2 * UPLOAD_PART + 500_000)]
    const parts = memoryParts()
    const refusing: Bucket = {
      ...bucket,
      putPart: (key, storeId, no, sent, sha256) =>
        no === 2 ? Promise.reject(new Error('503')) : bucket.putPart(key, storeId, no, sent, sha256),
    }
    const first = createS3UploadBytes({ bucket: refusing, root, prefix, parts })
    await expect(first.append(id, 0, whole.length, inPieces(whole))).rejects.toThrow('503')
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts })
    expect(await bytes.offsetOf(id)).toBe(UPLOAD_PART)
    await send(bytes, id, whole, UPLOAD_PART)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test.each([
    ['lost', (id: string, storeId: string) => bucket.abort(`${root}${prefix}/${id}`, storeId)],
    [
      'overwritten by a late request with other bytes',
      async (id: string, storeId: string) => {
        const other = noise(UPLOAD_PART)
        await bucket.putPart(`${root}${prefix}/${id}`, storeId, 1, other, sha256Of(other))
      },
    ],
  ])('whose part was %s are sent again from the beginning', async (_, damage) => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(UPLOAD_PART + 100_000)]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts })
    await bytes.append(id, 0, whole.length, inPieces(whole))
    await damage(id, defined((await parts.find(id))?.storeId))
    await expect(bytes.complete(id)).rejects.toBeInstanceOf(LostBytes)
    expect(await bytes.offsetOf(id)).toBe(0)
    await send(bytes, id, whole, UPLOAD_PART)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test('whose parts the store forgot before the next one are sent again from the beginning', async () => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(2 * UPLOAD_PART)]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts })
    await bytes.append(id, 0, whole.length, inPieces(whole.subarray(0, UPLOAD_PART)))
    await bucket.abort(`${root}${prefix}/${id}`, defined((await parts.find(id))?.storeId))
    const next = bytes.append(id, UPLOAD_PART, whole.length, inPieces(whole.subarray(UPLOAD_PART)))
    await expect(next).rejects.toBeInstanceOf(LostBytes)
    await send(bytes, id, whole, UPLOAD_PART)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test('of an upload that is created again are not those of the earlier one', async () => {
    const [id, parts] = [newId(), memoryParts()]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts })
    await bytes.append(id, 0, null, inPieces(noise(UPLOAD_PART + 100_000)))
    await bytes.create(id)
    expect([await bytes.offsetOf(id), await keysOf(id)]).toEqual([0, []])
    expect(await begunOf(id)).toEqual([])
  })

  test('of a caller whose lock did not last do not count', async () => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(1_000_000)]
    const [late, next] = [1, 2].map(() => createS3UploadBytes({ bucket, root, prefix, parts })) as [
      UploadBytes,
      UploadBytes,
    ]
    async function* paused(): AsyncGenerator<readonly Buffer[], void> {
      yield [Buffer.alloc(300_000)]
      await next.append(id, 0, null, inPieces(whole.subarray(0, 600_000)))
    }
    await expect(late.append(id, 0, null, paused())).rejects.toBeDefined()
    expect(await next.offsetOf(id)).toBe(600_000)
    await send(next, id, whole, UPLOAD_PART)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test.each([
    ['of parts', 2 * UPLOAD_PART + 100_000],
    ['stored at once', 900_000],
  ])('of a complete upload %s stay when a caller whose lock did not last goes on', async (_, size) => {
    const [id, parts, whole] = [newId(), memoryParts(), noise(size)]
    const late = createS3UploadBytes({ bucket, root, prefix, parts })
    const next = createS3UploadBytes({ bucket, root, prefix, parts })
    const began = size > UPLOAD_PART ? UPLOAD_PART + 500_000 : 500_000
    await late.append(id, 0, size, inPieces(whole.subarray(0, began)))
    const offset = await late.offsetOf(id)
    async function* paused(): AsyncGenerator<readonly Buffer[], void> {
      await send(next, id, whole, UPLOAD_PART)
      yield [noise(2 * UPLOAD_PART)]
    }
    await expect(late.append(id, offset, null, paused())).rejects.toBeDefined()
    expect(await next.offsetOf(id)).toBe(size)
    await next.complete(id)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
  })

  test('in numbered chunks can be sent again from any chunk', async () => {
    const digests = new Map<string, string | undefined>()
    const [id, parts, whole] = [newId(), memoryParts(digests), noise(2 * 6_000_000 + 77)]
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts })
    const place = async (no: number, from = whole) => {
      const file = path.join(folder, newId())
      await writeFile(file, from.subarray(no * 6_000_000, (no + 1) * 6_000_000))
      await bytes.place(id, no * 6_000_000, file)
    }
    for (const no of [0, 1, 1, 0, 1, 2, 2]) await place(no)
    expect(await bytes.offsetOf(id)).toBe(whole.length)
    await bytes.cutAt(id, 12_000_000)
    expect(await bytes.offsetOf(id)).toBe(12_000_000)
    await place(2)
    await bytes.complete(id)
    await bytes.complete(id)
    expect((await objectOf(id))?.equals(whole)).toBe(true)
    // Its parts are no leaves of the digest.
    expect(digests.get(id)).toBeUndefined()
    const other = noise(whole.length)
    for (const no of [0, 1, 2]) await place(no, other)
    await bytes.complete(id)
    expect((await objectOf(id))?.equals(other)).toBe(true)
  })

  test('of an upload whose length is announced after its bytes are an object', async () => {
    for (const size of [300_000, UPLOAD_PART + 300_000]) {
      const [id, whole] = [newId(), noise(size)]
      const bytes = createS3UploadBytes({ bucket, root, prefix, parts: memoryParts() })
      expect(await bytes.append(id, 0, null, inPieces(whole))).toBe(size)
      expect(await bytes.append(id, size, size, inPieces(Buffer.alloc(0)))).toBe(size)
      await bytes.complete(id)
      expect((await objectOf(id))?.equals(whole)).toBe(true)
      expect(await keysOf(id)).toEqual([`${root}${prefix}/${id}`])
    }
  })

  test('of an upload without bytes are an empty object', async () => {
    const id = newId()
    const bytes = createS3UploadBytes({ bucket, root, prefix, parts: memoryParts() })
    expect(await bytes.offsetOf(id)).toBe(0)
    await bytes.complete(id)
    expect((await objectOf(id))?.length).toBe(0)
  })
})
