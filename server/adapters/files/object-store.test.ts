// Stores of objects, each with the same tests.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compositeDigest, DIGEST_LEAF } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { PUT_PART } from '#server/adapters/s3/put-file.ts'
import { openS3Storage } from '#server/adapters/s3/s3-storage.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { memoryParts } from '#server/testing/s3/memory-parts.ts'
import { newBuckets } from '#server/testing/s3/stores.ts'
import { noise, sha256 } from '#server/testing/people/members.ts'
import { createDiskObjects } from './disk-objects.ts'
import { createMovingObjects } from './moving/moving-objects.ts'
import { createObjectsByPrefix } from './objects-by-prefix.ts'
import { NoObject, type ObjectKey, type ObjectPart, type ObjectStore } from './object-store.ts'
import { openStorage, type Storage } from './storage.ts'

interface Opened {
  readonly storage: Storage
  readonly objects: ObjectStore
}

async function onDisk(folder: string): Promise<Opened> {
  const storage = await openStorage(folder)
  return { storage, objects: storage.objects }
}

/** All objects in the store, below a prefix of the bucket. */
async function onS3(folder: string): Promise<Opened> {
  const storage = await openStorage(folder)
  const settings = await newBuckets('todoke/test/')
  return {
    storage,
    objects: createObjectsByPrefix(openS3Storage(settings, storage.scratch, () => memoryParts()).objects),
  }
}

/** Both places, the present one of which gets what is written. */
async function onBoth(folder: string): Promise<Opened> {
  const { storage, objects: present } = await onS3(folder)
  return { storage, objects: createMovingObjects({ present, earlier: createDiskObjects(folder) }) }
}

/** Both places, where everything was written before the move began. */
async function onEarlier(folder: string, isOnDisk: boolean): Promise<Opened> {
  const { storage, objects: inStore } = await onS3(folder)
  const disk = createDiskObjects(folder)
  const [present, earlier] = isOnDisk ? [inStore, disk] : [disk, inStore]
  const { put, putFolder, addFolder } = earlier
  return { storage, objects: { ...createMovingObjects({ present, earlier }), put, putFolder, addFolder } }
}

/** Stores have times in whole seconds, and the time of a file is that of the last tick. */
const EARLIEST = Date.now() - 2000

const kinds = [
  { kind: 'disk', open: onDisk, skip: false },
  { kind: 'S3', open: onS3, skip: !cephAvailable() },
  { kind: 'both places', open: onBoth, skip: !cephAvailable() },
  { kind: 'the disk before a move', open: (it: string) => onEarlier(it, true), skip: !cephAvailable() },
  { kind: 'S3 before a move', open: (it: string) => onEarlier(it, false), skip: !cephAvailable() },
]

describe.each(kinds.filter((it) => !it.skip))('objects on $kind', ({ open }) => {
  let folder = ''
  let storage: Storage
  let objects: ObjectStore
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-objects-'))
    ;({ storage, objects } = await open(folder))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function temporary(bytes: Buffer): Promise<string> {
    const file = storage.scratch.newPath()
    await writeFile(file, bytes)
    return file
  }
  async function temporaryFolder(files: Readonly<Record<string, string>>): Promise<string> {
    const to = storage.scratch.newPath()
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(to, name)), { recursive: true })
      await writeFile(path.join(to, name), text)
    }
    return to
  }
  async function added(bytes: Buffer): Promise<ObjectKey> {
    const key = `uploads/${newId()}` as const
    await objects.put(key, await temporary(bytes))
    return key
  }
  const read = (key: ObjectKey, part?: ObjectPart) => buffer(objects.read(key, part))
  const textOf = async (key: ObjectKey) => String(await read(key))
  const namesIn = async (prefix: 'uploads' | 'media') => {
    const names: string[] = []
    for await (const page of objects.list(prefix)) names.push(...page.map((it) => it.name))
    return names
  }

  test.each([0, 1, 700_000])('%d bytes are read as they were stored', async (size) => {
    const bytes = noise(size)
    const key = await added(bytes)
    expect(await objects.sizeOf(key)).toBe(size)
    expect((await read(key)).equals(bytes)).toBe(true)
    expect((await objects.withLocal(key, (file) => readFile(file))).equals(bytes)).toBe(true)
  })

  test('the temporary file of a stored object is gone', async () => {
    const file = await temporary(Buffer.from('x'))
    await objects.put(`uploads/${newId()}`, file)
    await expect(readFile(file)).rejects.toThrow('ENOENT')
  })

  test.each([
    [0, 1],
    [0, 0],
    [5, 5],
    [3, 600_001],
    [699_999, 700_000],
    [699_999, 800_000],
    [10, Number.POSITIVE_INFINITY],
  ])('bytes %d to %d are read alone', async (start, end) => {
    const bytes = noise(700_000)
    const key = await added(bytes)
    expect((await read(key, { start, end })).equals(bytes.subarray(start, end))).toBe(true)
  })

  test('the digest is that of its leaves', async () => {
    const bytes = noise(DIGEST_LEAF + 5)
    const leaves = [bytes.subarray(0, DIGEST_LEAF), bytes.subarray(DIGEST_LEAF)].map((it) => sha256(it))
    expect(await objects.digestOf(await added(bytes))).toBe(await compositeDigest(leaves))
  })

  test('an object of several parts is read as it was stored', async () => {
    const bytes = noise(PUT_PART + 7)
    const key = await added(bytes)
    expect(await objects.sizeOf(key)).toBe(bytes.length)
    expect((await read(key)).equals(bytes)).toBe(true)
    const { start, end } = { start: PUT_PART - 3, end: PUT_PART + 3 }
    expect((await read(key, { start, end })).equals(bytes.subarray(start, end))).toBe(true)
  })

  test('other bytes under the same key have another tag', async () => {
    const key = `media/${newId()}` as const
    await objects.put(key, await temporary(Buffer.from('one')))
    const before = await objects.factsOf(key)
    await objects.put(key, await temporary(Buffer.from('other')))
    const after = await objects.factsOf(key)
    expect([before?.size, after?.size]).toEqual([3, 5])
    expect(after?.etag).toMatch(/^"[\w-]+"$/)
    expect(after?.etag).not.toBe(before?.etag)
    expect(after?.modifiedAt).toBeGreaterThanOrEqual(EARLIEST)
    expect(after?.modifiedAt).toBeLessThanOrEqual(Date.now())
  })

  test('an object that does not exist has no size, and is not read', async () => {
    const key = `exports/${newId()}.zip` as const
    expect(await objects.sizeOf(key)).toBeUndefined()
    await expect(read(key)).rejects.toBeInstanceOf(NoObject)
    await expect(objects.withLocal(key, () => Promise.resolve())).rejects.toBeInstanceOf(NoObject)
    await expect(objects.withLocal(key, () => Promise.resolve())).rejects.toMatchObject({ code: 'ENOENT' })
    await objects.remove(key)
  })

  test.each([
    'uploads/../secret.key',
    'media/x/../../secret.key',
    'uploads/',
    'media//x',
    'uploads/.',
  ] as const)('the key %s, which could name another file, is refused', async (key) => {
    await writeFile(path.join(folder, 'secret.key'), 'x')
    const refusal = 'not a key of an object'
    await expect(objects.sizeOf(key)).rejects.toThrow(refusal)
    await expect(read(key)).rejects.toThrow(refusal)
    await expect(objects.remove(key)).rejects.toThrow(refusal)
  })

  test('a removed object does not exist', async () => {
    const key = await added(Buffer.from('x'))
    await objects.remove(key)
    expect(await objects.sizeOf(key)).toBeUndefined()
  })

  test('a folder replaces all objects below its key', async () => {
    const id = newId()
    await objects.putFolder(`media/${id}`, await temporaryFolder({ 'w240.webp': 'old', 'poster.webp': 'p' }))
    await objects.putFolder(
      `media/${id}`,
      await temporaryFolder({ 'w240.webp': 'new', 'hls/main.m3u8': 'm' }),
    )
    expect(await textOf(`media/${id}/w240.webp`)).toBe('new')
    expect(await textOf(`media/${id}/hls/main.m3u8`)).toBe('m')
    expect(await objects.sizeOf(`media/${id}/poster.webp`)).toBeUndefined()
  })

  test('a folder is added to the objects below its key', async () => {
    const id = newId()
    await objects.putFolder(
      `media/${id}`,
      await temporaryFolder({ 'hls/main.m3u8': 'one', 'hls/a.mp4': 'a' }),
    )
    const more = await temporaryFolder({ 'main.m3u8': 'two', 'b.mp4': 'b' })
    await objects.addFolder(`media/${id}/hls`, more, 'main.m3u8')
    const names = ['main.m3u8', 'a.mp4', 'b.mp4'] as const
    expect(await Promise.all(names.map((it) => textOf(`media/${id}/hls/${it}`)))).toEqual(['two', 'a', 'b'])
  })

  test('removing a folder removes all objects below its key, and no other', async () => {
    const [id, other] = [newId(), newId()]
    for (const it of [id, other])
      await objects.putFolder(`media/${it}`, await temporaryFolder({ 'a/b': 'x' }))
    await objects.removeFolder(`media/${id}`)
    expect(await objects.sizeOf(`media/${id}/a/b`)).toBeUndefined()
    expect(await textOf(`media/${other}/a/b`)).toBe('x')
  })

  test('all objects below a key are named with their sizes and tags, and none of another key', async () => {
    const id = newId()
    await objects.putFolder(`media/${id}`, await temporaryFolder({ 'a/b': 'xyz', c: 'y' }))
    await objects.putFolder(`media/${id}0`, await temporaryFolder({ d: 'x' }))
    const found: string[] = []
    for await (const { key, size, etag } of objects.below(`media/${id}`)) {
      expect(etag).toBe((await objects.factsOf(key))?.etag)
      found.push(`${key} ${size}`)
    }
    expect(found.toSorted()).toEqual([`media/${id}/a/b 3`, `media/${id}/c 1`])
    for await (const it of objects.below(`media/${newId()}`)) expect(it).toBeUndefined()
  })

  test('more names than one page are listed, each once, with their times', async () => {
    const keys: ObjectKey[] = []
    for (let i = 0; i < 520; i++) keys.push(await added(Buffer.from('x')))
    const names = await namesIn('uploads')
    expect(new Set(names).size).toBe(names.length)
    const expected = keys.map((it) => it.slice('uploads/'.length))
    expect(expected.filter((it) => !names.includes(it))).toEqual([])
    for await (const [first] of objects.list('uploads'))
      for (const time of first ? [await first.modifiedAt()] : []) {
        expect(time).toBeGreaterThanOrEqual(EARLIEST)
        expect(time).toBeLessThanOrEqual(Date.now())
      }
  })

  test('a folder is listed by its first name alone', async () => {
    const id = newId()
    await objects.putFolder(`media/${id}`, await temporaryFolder({ 'a/b': 'x', c: 'y' }))
    expect((await namesIn('media')).filter((it) => it.startsWith(id))).toEqual([id])
  })

  test('a probe leaves nothing', async () => {
    const before = await namesIn('uploads')
    await objects.probe()
    expect(await namesIn('uploads')).toEqual(before)
  })
})
