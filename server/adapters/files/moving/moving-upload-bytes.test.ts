// A video in numbered chunks that is sent again while its earlier bytes are moved.
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { createDiskObjects } from '#server/adapters/files/disk-objects.ts'
import type { ObjectStore } from '#server/adapters/files/object-store.ts'
import { openStorage, type Storage } from '#server/adapters/files/storage.ts'
import { LostBytes } from '#server/adapters/files/upload-bytes.ts'
import { openS3Places, openS3Storage } from '#server/adapters/s3/s3-storage.ts'
import type { UploadParts } from '#server/adapters/files/upload-parts.ts'
import { noise } from '#server/testing/people/members.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import { memoryParts } from '#server/testing/s3/memory-parts.ts'
import { newBuckets, type S3Settings } from '#server/testing/s3/stores.ts'
import { createDiskPlace } from './disk-place.ts'
import { createObjectMove, type MoveEnds } from './move.ts'

const CHUNK = 6_000_000

describe.skipIf(!cephAvailable()).each(['disk', 's3'] as const)(
  'chunks during a move from %s',
  (movedFrom) => {
    let folder: string
    let s3: S3Settings
    let parts: UploadParts
    let storage: Storage
    let ends: MoveEnds
    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'todoke-moving-'))
      s3 = await newBuckets()
      parts = memoryParts()
      storage = await openStorage(folder, { s3, parts: () => parts, movedFrom })
      const disk = { objects: createDiskObjects(folder), place: createDiskPlace(folder, storage.scratch) }
      const { objects } = openS3Storage(s3, storage.scratch, () => parts)
      const inStore = { objects: objects.uploads, place: openS3Places(s3)('uploads') }
      const [earlier, present] = movedFrom === 'disk' ? [disk, inStore] : [inStore, disk]
      ends = {
        earlier: earlier.objects,
        earlierPlace: earlier.place,
        present: present.objects,
        presentPlace: present.place,
      }
    })
    afterEach(() => rm(folder, { recursive: true, force: true }))

    async function place(id: string, no: number, from: Buffer): Promise<void> {
      const file = storage.scratch.newPath()
      await writeFile(file, from.subarray(no * CHUNK, (no + 1) * CHUNK))
      await storage.uploadBytes.place(id, no * CHUNK, file)
    }
    async function putEarlier(id: string, bytes: Buffer): Promise<void> {
      const file = storage.scratch.newPath()
      await writeFile(file, bytes)
      await ends.earlier.put(`uploads/${id}`, file)
    }
    /** Moves an upload, with work right before or right after its bytes are put into the present place. */
    async function moveWith(id: string, when: 'before' | 'after', work: () => Promise<void>) {
      const presentPlace: MoveEnds['presentPlace'] = {
        ...ends.presentPlace,
        async putOnce(key, file) {
          const copy = storage.scratch.newPath()
          await copyFile(file, copy)
          if (when === 'before') await work()
          const mark = await ends.presentPlace.putOnce(key, copy)
          if (when === 'after') await work()
          return mark
        },
      }
      const endsOf = () => ({ ...ends, presentPlace })
      const options = {
        endsOf,
        prefixes: ['uploads'],
        unfinishedAmong: async () => new Set<string>(),
      } as const
      return createObjectMove(options).move(`uploads/${id}`)
    }

    test.each(['before', 'after'] as const)(
      'that are sent again right %s the move has put the earlier bytes are those that stay',
      async (when) => {
        const [id, sent] = [newId(), noise(CHUNK + 1000)]
        await putEarlier(id, noise(CHUNK + 1000))
        expect(await moveWith(id, when, () => place(id, 0, sent))).toBe('gone')
        await place(id, 1, sent)
        await storage.uploadBytes.complete(id)
        expect((await buffer(storage.objects.read(`uploads/${id}`))).equals(sent)).toBe(true)
        expect(await ends.earlier.sizeOf(`uploads/${id}`)).toBeUndefined()
      },
    )

    test('that are removed while their earlier bytes are read are gone', async () => {
      const id = newId()
      await putEarlier(id, noise(1000))
      const earlier: ObjectStore = {
        ...ends.earlier,
        withLocal: (key, work) =>
          ends.earlier.withLocal(key, async (file) => {
            await ends.earlier.remove(key, 'at_once')
            return work(file)
          }),
      }
      const options = { prefixes: ['uploads'], unfinishedAmong: async () => new Set<string>() } as const
      const move = createObjectMove({ ...options, endsOf: () => ({ ...ends, earlier }) })
      expect(await move.move(`uploads/${id}`)).toBe('gone')
      expect(await ends.present.sizeOf(`uploads/${id}`)).toBeUndefined()
    })

    test('follow no bytes that the present place does not have', async () => {
      const [id, sent] = [newId(), noise(CHUNK + 1000)]
      await putEarlier(id, sent.subarray(0, CHUNK))
      await expect(place(id, 1, sent)).rejects.toBeInstanceOf(LostBytes)
      expect(await ends.present.sizeOf(`uploads/${id}`)).toBeUndefined()
    })
  },
)
