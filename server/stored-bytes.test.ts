// Stored bytes of a person equal those on the disk, and are limited.
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { deleteDueAccounts } from './modules/leaving/erase.ts'
import { addAwaited, chunksOf, sendChunk } from './testing/media/chunks.ts'
import { documents, prepared, submit } from './testing/people/identity.ts'
import { leave } from './testing/people/leaving.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  noise,
  type Reply,
  signUp,
  upload,
} from './testing/people/members.ts'
import { jpeg } from './testing/pictures.ts'
import {
  beginUpload,
  createUpload,
  metadataOf,
  removeUploadOf,
  storedBytes,
} from './testing/media/uploads.ts'
import { databases, openWorld, storedAt, type World } from './testing/world.ts'
import { removeOldUploads, UNHELD_LIFE } from './modules/uploads/expiry.ts'

const LIMIT = 40_000_000
const refused = (reply: Reply) => [reply.statusCode, errorOf(reply).code]
const full = [403, 'storage_limit']

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)(`with ${LIMIT} bytes for each person`, () => {
    let world: World
    let owner: Member
    beforeAll(async () => {
      const uploadsPerPerson = { count: 1e6, bytes: 1e15, stored: LIMIT }
      world = await openWorld({ database: kind, settings: { uploadsPerPerson } })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      owner = await signUp(world)
    })

    const usage = async (as = owner) =>
      (await call(world, as, 'GET', '/user/storage')).json<{ used: number; limit: number }>()
    const begin = (length: number, as = owner) =>
      createUpload(world, as, { 'upload-length': String(length), 'upload-metadata': metadataOf(newId()) })
    /** An announced upload that uses so many bytes of the person's quota. */
    const useQuota = async (bytes: number) => expect((await begin(bytes)).statusCode).toBe(201)
    const inline = (bytes: Buffer) =>
      addPost(world, owner, [
        ['type', '1'],
        ['image_file[]', { name: 'a.jpg', bytes }],
      ])
    async function putAvatar(bytes: Buffer): Promise<Reply> {
      const form = new FormData()
      form.append('picture', new Blob([new Uint8Array(bytes)]), 'a.jpg')
      const encoded = new Response(form)
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
      const body = Buffer.from(await encoded.arrayBuffer())
      return call(world, owner, 'PUT', '/profile/pictures/avatar', body, headers)
    }

    test('a person without files has 0 stored bytes; a visitor is refused', async () => {
      expect(await usage()).toEqual({ used: 0, limit: LIMIT })
      expect(refused(await call(world, null, 'GET', '/user/storage'))).toEqual([401, 'unauthenticated'])
    })

    test('finished and announced uploads, inline pictures, avatar and documents all count', async () => {
      const picture = await jpeg(900, 600)
      await upload(world, owner, noise(1000), 'a.mp4')
      await beginUpload(world, owner, 500)
      expect((await inline(picture)).statusCode).toBe(200)
      expect((await putAvatar(picture)).statusCode).toBe(200)
      expect((await usage()).used).toBe(1500 + 2 * picture.length)
      const files = await documents()
      const sizes = files.front.length + files.back.length + files.live.length
      expect((await submit(world, owner, await prepared(world, owner, files))).statusCode).toBe(200)
      expect((await usage()).used).toBe(1500 + 2 * picture.length + sizes)
    })

    test('above the limit every upload is refused, and no stored file is deleted', async () => {
      const earlier = await upload(world, owner, noise(1000), 'a.mp4')
      const picture = await jpeg(900, 600)
      const chunked = await addAwaited(world, owner)
      await useQuota(LIMIT - 1000 - LEGACY_CHUNK)
      const [first, second] = chunksOf(noise(2 * LEGACY_CHUNK))
      if (!first || !second) throw new Error('two chunks')
      expect((await sendChunk(world, owner, chunked.videoId, first)).statusCode).toBe(200)
      expect(await usage()).toEqual({ used: LIMIT, limit: LIMIT })
      expect(refused(await begin(1))).toEqual(full)
      expect(refused(await inline(picture))).toEqual(full)
      expect(refused(await putAvatar(picture))).toEqual(full)
      expect(refused(await sendChunk(world, owner, chunked.videoId, second))).toEqual(full)
      expect((await storedBytes(world, chunked.videoId)).length).toBe(LEGACY_CHUNK)
      expect((await storedBytes(world, earlier)).length).toBe(1000)
      expect((await usage()).used).toBe(LIMIT)
      const words = await addPost(world, owner, [
        ['type', '1'],
        ['content', '言葉だけ'],
      ])
      expect(words.statusCode).toBe(200)
      expect((await begin(1, await signUp(world))).statusCode).toBe(201)
    })

    test('a person whose limit was lowered below what is stored can post without new files', async () => {
      const image = await upload(world, owner, await jpeg(), 'a.jpg')
      await useQuota(LIMIT - (await usage()).used)
      const longer = 'update uploads set length = length + 1 where owner_id = $1 and finished_at is null'
      await world.database.executeSql(longer, [owner.id])
      expect((await usage()).used).toBe(LIMIT + 1)
      const post = await addPost(world, owner, [
        ['type', '1'],
        ['has_image_file[]', image],
      ])
      expect(post.statusCode).toBe(200)
    })

    test('a picture inside a request counts also beside an uploaded one', async () => {
      const picture = await jpeg(900, 600)
      const uploaded = await upload(world, owner, picture, 'a.jpg')
      await useQuota(LIMIT - 2 * picture.length + 1)
      const both = addPost(world, owner, [
        ['type', '1'],
        ['has_image_file[]', uploaded],
        ['image_file[]', { name: 'b.jpg', bytes: picture }],
      ])
      expect(refused(await both)).toEqual(full)
    })

    test('removed files no longer count', async () => {
      const large = await beginUpload(world, owner, LIMIT)
      expect(refused(await begin(1))).toEqual(full)
      expect((await removeUploadOf(world, owner, large)).statusCode).toBe(204)
      expect((await begin(LIMIT)).statusCode).toBe(201)
    })

    test('of twelve concurrent uploads near the limit, only those that fit are accepted', async () => {
      await useQuota(LIMIT - 3 * 100)
      const replies = await Promise.all(Array.from({ length: 12 }, () => begin(100)))
      const codes = replies.map((it) => it.statusCode).toSorted()
      expect(codes).toEqual([201, 201, 201, ...Array.from({ length: 9 }, () => 403)])
      expect((await usage()).used).toBe(LIMIT)
    })

    test('concurrent inline pictures and uploads do not exceed the limit together', async () => {
      const picture = await jpeg(900, 600)
      await useQuota(LIMIT - 2 * picture.length)
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? inline(picture) : begin(picture.length))),
      )
      expect(replies.filter((it) => it.statusCode < 300)).toHaveLength(2)
      expect((await usage()).used).toBe(LIMIT)
    })

    test('after random uploads, removals, expiry and a deleted account the figure equals the bytes on the disk', async () => {
      const people = [owner, await signUp(world), await signUp(world)]
      const held: { id: string; by: Member }[] = []
      const turn = (i: number) => people[i % people.length] ?? owner
      for (let i = 0; i < 40; i++) {
        const by = turn(i * 7)
        if (i % 5 === 4 && held.length > 0) {
          const [removed] = held.splice((i * 13) % held.length, 1)
          if (removed) await removeUploadOf(world, removed.by, removed.id)
        } else if (i % 4 === 3) {
          const id = await upload(world, by, await jpeg(300 + i, 200), 'a.jpg')
          await addPost(world, by, [
            ['type', '1'],
            ['has_image_file[]', id],
          ])
        } else if (i % 4 === 2) {
          const bytes = await jpeg(300 + i, 200)
          await addPost(world, by, [
            ['type', '1'],
            ['image_file[]', { name: 'a.jpg', bytes }],
          ])
        } else held.push({ id: await upload(world, by, noise(1 + i * 997), 'a.bin'), by })
      }
      const onDisk = async (by: Member) => {
        const { rows } = await world.database.executeSql('select id from uploads where owner_id = $1', [
          by.id,
        ])
        const own = new Set((rows as { id: string }[]).map((it) => it.id))
        const uploads = storedAt(world, 'uploads')
        let sum = 0
        for (const name of await readdir(uploads))
          if (own.has(name)) sum += (await stat(path.join(uploads, name))).size
        return sum
      }
      const same = async () => {
        for (const by of people) expect((await usage(by)).used).toBe(await onDisk(by))
      }
      await same()
      expect((await usage()).used).toBeGreaterThan(0)
      world.clock.now += UNHELD_LIFE + 1
      for (const by of people) await upload(world, by, noise(777), 'late.bin')
      await removeOldUploads(world.deps)
      await same()
      const leaver = people.pop() ?? owner
      await leave(world, leaver)
      world.clock.now += LEAVING_MS
      await deleteDueAccounts(world.deps)
      const { rows } = await world.database.executeSql('select 1 from uploads where owner_id = $1', [
        leaver.id,
      ])
      expect(rows).toEqual([])
    })
  })
})
