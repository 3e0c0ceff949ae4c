// Objects of two places, and their move from one to the other, also under changes.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { createDiskObjects } from '#server/adapters/files/disk-objects.ts'
import type { ObjectKey, ObjectStore } from '#server/adapters/files/object-store.ts'
import { openStorage, type Storage } from '#server/adapters/files/storage.ts'
import { openS3Places, openS3Storage } from '#server/adapters/s3/s3-storage.ts'
import { noise } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { memoryParts } from '#server/testing/s3/memory-parts.ts'
import { newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { createDiskPlace } from './disk-place.ts'
import { createObjectMove, type MoveEnds } from './move.ts'

const placesOf = (folder: string, s3: S3Settings, { scratch }: Storage) => ({
  disk: createDiskPlace(folder, scratch),
  s3: openS3Places(s3)('media'),
})

const moveBetween = (ends: MoveEnds) =>
  createObjectMove({ endsOf: () => ends, prefixes: ['media'], unfinishedAmong: async () => new Set() })

const directions = ['disk', 's3'] as const

describe.skipIf(!cephAvailable()).each(directions)('objects that are moved from %s', (movedFrom) => {
  let folder: string
  let s3: S3Settings
  let storage: Storage
  let earlier: ObjectStore
  let present: ObjectStore
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'todoke-moving-'))
    s3 = await newBuckets('todoke/')
    storage = await openStorage(folder, { s3, parts: () => memoryParts(), movedFrom })
    const inStore = openS3Storage(s3, storage.scratch, () => memoryParts()).objects.media
    const disk = createDiskObjects(folder)
    ;[earlier, present] = movedFrom === 'disk' ? [disk, inStore] : [inStore, disk]
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const textOf = async (store: ObjectStore, key: ObjectKey) => String(await buffer(store.read(key)))
  async function put(store: ObjectStore, key: ObjectKey, bytes: Buffer | string): Promise<void> {
    const file = storage.scratch.newPath()
    await writeFile(file, bytes)
    await mkdir(path.dirname(path.join(folder, key)), { recursive: true })
    await store.put(key, file)
  }
  const keyOf = (name = 'w240.webp') => `media/${newId()}/${name}` as const
  const moveOf = () => storage.move ?? expect.unreachable()
  const keysLeft = async () => {
    const keys: ObjectKey[] = []
    for await (const key of moveOf().keys()) keys.push(key)
    return keys.toSorted()
  }
  /** The move with work at a moment of it: after the object was stored in the present place. */
  const moveWith = (key: ObjectKey, afterPut: () => Promise<void>) => {
    const disk = {
      objects: createDiskObjects(folder),
      s3: openS3Storage(s3, storage.scratch, () => memoryParts()).objects.media,
    }
    const ends = endsOf(disk.objects, disk.s3)
    const presentPlace: MoveEnds['presentPlace'] = {
      ...ends.presentPlace,
      async putOnce(...args) {
        const mark = await ends.presentPlace.putOnce(...args)
        await afterPut()
        return mark
      },
    }
    return moveBetween({ ...ends, presentPlace }).move(key)
  }
  const endsOf = (disk: ObjectStore, inStore: ObjectStore): MoveEnds => {
    const places = placesOf(folder, s3, storage)
    return movedFrom === 'disk'
      ? { present: inStore, presentPlace: places.s3, earlier: disk, earlierPlace: places.disk }
      : { present: disk, presentPlace: places.disk, earlier: inStore, earlierPlace: places.s3 }
  }

  test('are copied, are the same at the next time, and removed only then', async () => {
    const [small, large] = [keyOf(), keyOf('play.mp4')]
    const bytes = noise(33 * 1024 * 1024)
    await put(earlier, small, 'abc')
    await put(earlier, large, bytes)
    expect(await keysLeft()).toEqual([small, large].toSorted())
    for (const key of [small, large]) expect(await moveOf().move(key)).toBe('moved')
    for (const key of [small, large]) expect(await moveOf().move(key)).toBe('same')
    expect((await buffer(present.read(large))).equals(bytes)).toBe(true)
    for (const key of [small, large]) await moveOf().removeEarlier(key)
    expect(await keysLeft()).toEqual([])
    expect(await earlier.sizeOf(small)).toBeUndefined()
    expect(await textOf(storage.objects, small)).toBe('abc')
    // Empty folders would be names without objects.
    if (movedFrom === 'disk') expect(await readdir(path.join(folder, 'media'))).toEqual([])
  })

  test('that were written meanwhile are the newer ones', async () => {
    const key = keyOf()
    await put(earlier, key, 'old')
    await put(present, key, 'new')
    expect(await moveOf().move(key)).toBe('newer')
    expect(await textOf(storage.objects, key)).toBe('new')
  })

  test('are not brought back when they are removed during their move', async () => {
    const key = keyOf()
    await put(earlier, key, 'secret')
    // The moment after the server looked into the present place, and before the move put the object there.
    expect(await moveWith(key, () => earlier.remove(key))).toBe('gone')
    expect(await storage.objects.sizeOf(key)).toBeUndefined()
  })

  test('stay when a newer one takes their place during the move, even with the same bytes', async () => {
    const key = keyOf()
    await put(earlier, key, 'same')
    expect(await moveWith(key, () => put(storage.objects, key, 'same'))).toBe('gone')
    expect(await textOf(storage.objects, key)).toBe('same')
    expect(await earlier.sizeOf(key)).toBeUndefined()
  })

  test('are moved as they are at the end, when a server without the setting changes them', async () => {
    const key = keyOf()
    await put(earlier, key, 'one')
    let changes = 0
    const moved = await moveWith(key, async () => {
      if (changes++ === 0) await put(earlier, key, 'another one')
    })
    expect([moved, changes, await textOf(present, key)]).toEqual(['moved', 2, 'another one'])
  })

  test('that change without end are left where they are', async () => {
    const key = keyOf()
    await put(earlier, key, 'one')
    let changes = 0
    const moved = await moveWith(key, () => put(earlier, key, 'x'.repeat(++changes)))
    expect([moved, await present.sizeOf(key)]).toEqual(['changed', undefined])
    expect(await textOf(storage.objects, key)).toBe('xxx')
  })

  test('that the present place returns with other bytes are not moved', async () => {
    const key = keyOf()
    await put(earlier, key, 'right')
    const ends = endsOf(
      createDiskObjects(folder),
      openS3Storage(s3, storage.scratch, () => memoryParts()).objects.media,
    )
    const wrong = { ...ends.present, digestOf: async () => 'wrong' }
    expect(await moveBetween({ ...ends, present: wrong }).move(key)).toBe('broken')
    expect([await present.sizeOf(key), await textOf(storage.objects, key)]).toEqual([undefined, 'right'])
  })

  test('are listed once, and new uploads are in the present place', async () => {
    const [moved, waits] = [keyOf(), keyOf()]
    for (const key of [moved, waits]) await put(earlier, key, 'x')
    await moveOf().move(moved)
    const names: string[] = []
    for await (const page of storage.objects.list('media')) names.push(...page.map((it) => it.name))
    expect(names.toSorted()).toEqual([moved, waits].map((it) => it.split('/')[1]).toSorted())
    const upload = `uploads/${newId()}` as const
    await put(storage.objects, upload, 'x')
    const isOnDisk = (await readdir(path.join(folder, 'uploads'))).length > 0
    expect(isOnDisk).toBe(movedFrom === 's3')
    expect(await keysLeft()).toEqual([moved, waits].toSorted())
  })
})
