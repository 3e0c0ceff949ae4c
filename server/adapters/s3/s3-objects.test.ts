// Objects in a store that refuses requests and loses connections.
import { readdirSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ListMultipartUploadsCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { createDiskRoom, NoRoom } from '#server/adapters/files/disk-room.ts'
import { type ObjectStore, NoObject } from '#server/adapters/files/object-store.ts'
import { sniffBytes } from '#contract/kinds/sniff.ts'
import { openStorage, type Storage } from '#server/adapters/files/storage.ts'
import { noise } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { newBuckets } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { createBucket } from './bucket.ts'
import { openS3Client } from './client.ts'
import { sha256Of } from './digests.ts'
import { PUT_PART } from './put-file.ts'
import { createS3Objects } from './s3-objects.ts'

describe.skipIf(!cephAvailable())('objects in an unstable store', () => {
  let folder: string
  let storage: Storage
  let store: UnstableStore
  let objects: ObjectStore
  let free = Number.POSITIVE_INFINITY
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-s3-'))
    const room = createDiskRoom(folder, 1000, () => Promise.resolve(free))
    storage = await openStorage(folder, { room })
    store = await openUnstableStore(await newBuckets())
    const bucket = createBucket(openS3Client(store.settings), store.settings.bucket)
    objects = createS3Objects({ bucket, root: '', scratch: storage.scratch })
  })
  afterAll(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function temporary(bytes: Buffer): Promise<string> {
    const file = storage.scratch.newPath()
    await writeFile(file, bytes)
    return file
  }
  const partsLeft = async (): Promise<number> => {
    const client = openS3Client(store.settings)
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: store.settings.bucket }))
    client.destroy()
    return Uploads?.length ?? 0
  }

  test('a part whose bytes are not those of its digest is refused by the store', async () => {
    const bucket = createBucket(openS3Client(store.settings, { tries: 1 }), store.settings.bucket)
    const [key, bytes] = [`media/${newId()}`, noise(1000)]
    const id = await bucket.begin(key)
    const refused = await bucket
      .putPart(key, id, 1, bytes, sha256Of(noise(1000)))
      .catch((it: Error) => it.name)
    expect(refused).toBe('XAmzContentSHA256Mismatch')
    await bucket.abort(key, id)
  })

  test('the kind of a video whose index is at its end is known from a few ranges', async () => {
    const key = `uploads/${newId()}` as const
    const [made, size] = [fixture('h264.mp4'), 40 * 1024 * 1024]
    const padding = Buffer.alloc(size)
    padding.writeUInt32BE(size)
    padding.write('free', 4)
    // The first 32 bytes are its box `ftyp`, and the rest begins with the index.
    const video = Buffer.concat([made.subarray(0, 32), padding, made.subarray(32)])
    await objects.put(key, await temporary(video))
    const before = store.requests.length
    const copied = vi.spyOn(storage.scratch, 'newPath')
    const found = await objects.withBytes(key, sniffBytes)
    expect([found?.mime, copied.mock.calls.length]).toEqual(['video/mp4', 0])
    expect(store.requests.slice(before).length).toBeLessThan(6)
    copied.mockRestore()
  })

  test('bytes of more ranges than are worth it are read from a copy, which is removed', async () => {
    const [key, bytes] = [`uploads/${newId()}`, noise(3 * 1024 * 1024)] as const
    await objects.put(key, await temporary(bytes))
    const places = Array.from({ length: 40 }, (_, i) => i * 70_000)
    const copied = vi.spyOn(storage.scratch, 'newPath')
    const read = await objects.withBytes(key, async (source) => {
      const parts: Uint8Array[] = []
      for (const it of places) parts.push(await source.read(it, 100))
      return Buffer.concat(parts)
    })
    expect(read.equals(Buffer.concat(places.map((it) => bytes.subarray(it, it + 100))))).toBe(true)
    expect(copied).toHaveBeenCalledOnce()
    copied.mockRestore()
    expect(readdirSync(storage.scratch.folder)).toEqual([])
  })

  test('an object is stored while readers that do not go on have all connections for reading', async () => {
    const [client, reading] = [
      openS3Client(store.settings, { sockets: 1 }),
      openS3Client(store.settings, { sockets: 2 }),
    ]
    const bucket = createBucket(client, store.settings.bucket, reading)
    const [key, other] = [`media/${newId()}`, `media/${newId()}`]
    await bucket.put(key, noise(8_000_000))
    const held = await Promise.all([bucket.open(key), bucket.open(key)])
    await bucket.put(other, noise(1000))
    expect((await bucket.facts(other))?.size).toBe(1000)
    for (const it of held) if (it && it !== 'beyond') it.bytes.destroy()
    client.destroy()
    reading.destroy()
  })

  test('bytes of an object that is not there are no object', async () => {
    const read = objects.withBytes(`uploads/${newId()}`, () => Promise.resolve(1))
    await expect(read).rejects.toThrow(NoObject)
  })

  test('a store that answers 503 three times gets the object once it answers', async () => {
    const [key, bytes] = [`media/${newId()}`, noise(1000)] as const
    store.refuse(3)
    await objects.put(key, await temporary(bytes))
    expect(store.requests.filter((it) => it.includes(key))).toHaveLength(4)
    expect((await buffer(objects.read(key))).equals(bytes)).toBe(true)
  })

  test('each part of a large object is repeated by itself', async () => {
    const [key, bytes] = [`exports/${newId()}.zip`, noise(PUT_PART + 100)] as const
    const file = await temporary(bytes)
    store.refuse(2)
    await objects.put(key, file)
    expect((await buffer(objects.read(key))).equals(bytes)).toBe(true)
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  test('after too many refusals the file is still there, and no part stays in the store', async () => {
    const key = `exports/${newId()}.zip` as const
    const file = await temporary(noise(PUT_PART + 100))
    const bucket = createBucket(openS3Client(store.settings, { tries: 2 }), store.settings.bucket)
    const impatient = createS3Objects({ bucket, root: '', scratch: storage.scratch })
    store.refuse(2, 'partNumber=2')
    await expect(impatient.put(key, file)).rejects.toMatchObject({ name: 'SlowDown' })
    expect(await objects.sizeOf(key)).toBeUndefined()
    expect((await stat(file)).size).toBe(PUT_PART + 100)
    expect(await partsLeft()).toBe(0)
  })

  test('a read whose connection is lost goes on where it ended', async () => {
    const [key, bytes] = [`media/${newId()}`, noise(3_000_000)] as const
    await objects.put(key, await temporary(bytes))
    store.cut(2, 700_000)
    expect((await buffer(objects.read(key))).equals(bytes)).toBe(true)
    store.cut(1, 10_000)
    const part = { start: 500_000, end: 900_000 }
    expect((await buffer(objects.read(key, part))).equals(bytes.subarray(part.start, part.end))).toBe(true)
  })

  test('a read does not go on with other bytes that took the place of its object', async () => {
    const key = `media/${newId()}` as const
    await objects.put(key, await temporary(noise(3_000_000)))
    const read = objects.read(key)
    store.cut(1, 700_000)
    await read.next()
    await objects.put(key, await temporary(noise(3_000_000)))
    await expect(buffer(read)).rejects.toMatchObject({ name: 'PreconditionFailed' })
  })

  test('a local copy is gone after its work, also after one that failed', async () => {
    const key = `uploads/${newId()}` as const
    await objects.put(key, await temporary(noise(1000)))
    const names = () => readdirSync(storage.scratch.folder)
    const before = names()
    await objects.withLocal(key, (file) => stat(file))
    await expect(objects.withLocal(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const missing = `uploads/${newId()}` as const
    await expect(objects.withLocal(missing, () => Promise.resolve())).rejects.toBeInstanceOf(NoObject)
    expect(names()).toEqual(before)
  })

  test('without room for a local copy the work does not begin', async () => {
    const key = `uploads/${newId()}` as const
    await objects.put(key, await temporary(noise(1000)))
    free = 10
    // A figure of the disk is reused for a second.
    await expect
      .poll(() => objects.withLocal(key, () => Promise.resolve('begun')).catch((error: unknown) => error))
      .toBeInstanceOf(NoRoom)
    free = Number.POSITIVE_INFINITY
  })

  test('a bucket that does not exist is an error, and not a missing object', async () => {
    const bucket = createBucket(openS3Client(store.settings), 'no-such-bucket')
    const others = createS3Objects({ bucket, root: '', scratch: storage.scratch })
    await expect(buffer(others.read(`media/${newId()}`))).rejects.toMatchObject({ name: 'NoSuchBucket' })
    await expect(others.probe()).rejects.toMatchObject({ name: 'NoSuchBucket' })
  })
})
