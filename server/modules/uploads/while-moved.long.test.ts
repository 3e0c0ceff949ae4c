// Uploads during a move between the data folder and an object store, in both directions.
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEGACY_CHUNK, TUS_CHUNK } from '#contract/limits.ts'
import { defined } from '#contract/testing/defined.ts'
import { PART_BYTES } from '#contract/uploads/parts.ts'
import { addAwaited, chunksOf, longVideo, release, sendAll, sendChunk } from '#server/testing/media/chunks.ts'
import { partsOf, putPart, type SentPart, splitInParts } from '#server/testing/media/parts.ts'
import { type MovedWorlds, openMovedWorlds } from '#server/testing/media/moved-worlds.ts'
import { beginUpload, offsetOf, removeUploadOf } from '#server/testing/media/uploads.ts'
import {
  addPost,
  errorOf,
  head,
  type Member,
  noise,
  patch,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { uploadDocument } from '#server/testing/people/identity.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { postgresOfRun } from '#server/testing/postgres.ts'
import { cephAvailable } from '#server/testing/s3/ceph.ts'
import type { World } from '#server/testing/world.ts'

const canRun = cephAvailable() && postgresOfRun()
const directions = [
  { movedFrom: 'disk', movedTo: 's3' },
  { movedFrom: 's3', movedTo: 'disk' },
] as const

describe.skipIf(!canRun).each(directions)(
  'while objects are moved from $movedFrom',
  ({ movedFrom, movedTo }) => {
    let worlds: MovedWorlds
    let before: World
    let during: World
    let owner: Member
    beforeAll(async () => {
      worlds = await openMovedWorlds(movedFrom)
      ;({ before, during } = worlds)
    })
    afterAll(() => worlds.close())
    beforeEach(async () => {
      owner = await signUp(before)
    })

    const bytesIn = ({ deps }: World, id: string) => buffer(deps.storage.objects.read(`uploads/${id}`))
    /** Names of the upload's bytes. Files that are converted from them appear when their job ends. */
    const namesIn = async (store: 'disk' | 's3', id: string) =>
      (await worlds.namesIn(store, id)).filter((it) => !it.startsWith('media/'))
    const places = async (id: string) => ({
      earlier: await namesIn(movedFrom, id),
      present: await namesIn(movedTo, id),
    })
    const inEarlier = (id: string) => ({ earlier: [`uploads/${id}`], present: [] })
    const inPresent = (id: string) => ({ earlier: [], present: [`uploads/${id}`] })
    const query = (statement: string, ...values: unknown[]) => before.database.executeSql(statement, values)

    /** Sends bytes as a device does: from the offset that the server says. */
    async function send(world: World, id: string, bytes: Buffer, until = bytes.length): Promise<void> {
      for (let tries = 0; tries < 20; tries++) {
        const at = Number(await offsetOf(world, owner, id))
        if (at >= until) return
        await patch(world, owner, id, at, bytes.subarray(at, Math.min(until, at + TUS_CHUNK)))
      }
      expect.unreachable('it is not sent')
    }

    /** Sends the parts that the server does not have, until it has all. */
    async function sendParts(world: World, id: string, all: readonly SentPart[]): Promise<void> {
      for (let tries = 0; tries < 5; tries++) {
        const { finished, stored } = await partsOf(world, owner, id)
        if (finished) return
        for (const it of all) if (stored[it.no - 1] !== it.payload.length) await putPart(world, owner, it)
      }
      expect.unreachable('it is not sent')
    }

    test('a finished video in numbered chunks is released, stays where it is, and is moved then', async () => {
      const video = longVideo()
      const { postId, videoId } = await addAwaited(before, owner)
      await sendAll(before, owner, videoId, video)
      expect((await release(during, owner, postId)).statusCode).toBe(200)
      expect(await places(videoId)).toEqual(inEarlier(videoId))
      expect((await bytesIn(during, videoId)).equals(video)).toBe(true)
      await worlds.move('--remove')
      expect(await places(videoId)).toEqual(inPresent(videoId))
      expect((await bytesIn(during, videoId)).equals(video)).toBe(true)
    })

    test('HEAD and an empty PATCH of a finished upload make nothing in the present place, and a post takes it', async () => {
      const picture = await jpeg(300, 200)
      const id = await upload(before, owner, picture, 'a.jpg')
      expect(await offsetOf(during, owner, id)).toBe(String(picture.length))
      const empty = await patch(during, owner, id, picture.length, Buffer.alloc(0))
      expect([empty.statusCode, empty.headers['upload-offset']]).toEqual([204, String(picture.length)])
      expect((await patch(during, owner, id, picture.length, Buffer.alloc(1))).statusCode).toBe(413)
      expect(await places(id)).toEqual(inEarlier(id))
      const added = await addPost(during, owner, [
        ['type', '1'],
        ['has_image_file[]', id],
      ])
      expect(added.statusCode).toBe(200)
      expect((await head(during, owner, id)).statusCode).toBe(200)
      expect((await bytesIn(during, id)).equals(picture)).toBe(true)
      await worlds.move('--remove')
      expect(await places(id)).toEqual(inPresent(id))
      expect(await offsetOf(during, owner, id)).toBe(String(picture.length))
      expect((await bytesIn(during, id)).equals(picture)).toBe(true)
    })

    test('a finished document of an identity check is found, and moved', async () => {
      const id = await uploadDocument(before, owner, noise(1000))
      const key = `identity-uploads/${id}` as const
      expect(await offsetOf(during, owner, id)).toBe('1000')
      await during.deps.storage.documentBytes.complete(id)
      for (const words of [[], ['--remove'], []]) {
        expect(await during.deps.storage.objects.sizeOf(key)).toBe(1000)
        await worlds.move(...words)
      }
      expect(await before.deps.storage.objects.sizeOf(key)).toBeUndefined()
      expect(await offsetOf(during, owner, id)).toBe('1000')
    })

    test('a video of which a chunk is in the earlier place begins again, without a hole', async () => {
      const video = longVideo()
      const chunks = chunksOf(video)
      const { postId, videoId } = await addAwaited(before, owner)
      for (const it of chunks.slice(0, 2)) await sendChunk(before, owner, videoId, it)
      const next = chunks[2] ?? expect.unreachable()
      expect(errorOf(await sendChunk(during, owner, videoId, next)).code).toBe('chunk_out_of_order')
      expect((await places(videoId)).present).toEqual([])
      await sendAll(during, owner, videoId, video)
      expect((await release(during, owner, postId)).statusCode).toBe(200)
      expect(await places(videoId)).toEqual(inPresent(videoId))
      expect((await bytesIn(during, videoId)).equals(video)).toBe(true)
    })

    test('an upload that is not finished begins again, and leaves nothing in the earlier place', async () => {
      const bytes = noise(2 * TUS_CHUNK + 1000)
      const id = await beginUpload(before, owner, bytes.length)
      await send(before, id, bytes, TUS_CHUNK + 500)
      expect(await offsetOf(during, owner, id)).toBe('0')
      await send(during, id, bytes)
      expect(await places(id)).toEqual(inPresent(id))
      expect((await bytesIn(during, id)).equals(bytes)).toBe(true)
    })

    test('an upload whose last byte was not recorded begins again, and is whole', async () => {
      const bytes = noise(1000)
      const id = await upload(before, owner, bytes, 'a')
      await query('update uploads set finished_at = null where id = $1', id)
      await send(during, id, bytes)
      expect(await places(id)).toEqual(inPresent(id))
      expect((await bytesIn(during, id)).equals(bytes)).toBe(true)
    })

    test('an upload that its owner removes is in neither place', async () => {
      const [finished, begun] = [
        await upload(before, owner, noise(100), 'a'),
        await beginUpload(before, owner, 9000),
      ]
      await send(before, begun, noise(9000), 5000)
      for (const id of [finished, begun]) {
        expect((await removeUploadOf(during, owner, id)).statusCode).toBe(204)
        expect(await places(id)).toEqual({ earlier: [], present: [] })
      }
    })

    test('an upload that is not finished is not moved, and removed where it was', async () => {
      const bytes = noise(2 * TUS_CHUNK)
      const id = await beginUpload(before, owner, bytes.length)
      await send(before, id, bytes, TUS_CHUNK + 500)
      expect(await worlds.move()).toContain('送信が終わっていないアップロード1件')
      expect((await places(id)).present).toEqual([])
      expect((await places(id)).earlier.length).toBeGreaterThan(0)
      expect(await worlds.move('--remove')).toContain('送信が終わっていないアップロード1件')
      expect(await places(id)).toEqual({ earlier: [], present: [] })
      await send(during, id, bytes)
      expect((await bytesIn(during, id)).equals(bytes)).toBe(true)
    })

    test.each(['', '--remove'])(
      'an upload with numbered parts is not moved, begins again, and is in one place (%s)',
      async (option) => {
        const bytes = noise(2 * PART_BYTES + 1000)
        const id = await beginUpload(before, owner, bytes.length)
        const all = splitInParts(id, bytes)
        for (const it of [0, 2]) await putPart(before, owner, defined(all[it]))
        expect(await worlds.move(...(option === '' ? [] : [option]))).toContain(
          '送信が終わっていないアップロード1件',
        )
        expect((await places(id)).present).toEqual([])
        await sendParts(during, id, all)
        expect(await places(id)).toEqual(inPresent(id))
        expect((await bytesIn(during, id)).equals(bytes)).toBe(true)
      },
    )

    test('a finished video whose bytes are in neither place is sent again', async () => {
      const video = fixture('h264.mp4')
      const { postId, videoId } = await addAwaited(before, owner)
      await sendAll(before, owner, videoId, video)
      await before.deps.storage.uploadBytes.remove(videoId)
      expect(errorOf(await release(during, owner, postId)).code).toBe('upload_incomplete')
      expect(await places(videoId)).toEqual({ earlier: [], present: [] })
      await sendAll(during, owner, videoId, video)
      expect((await release(during, owner, postId)).statusCode).toBe(200)
      expect((await bytesIn(during, videoId)).equals(video)).toBe(true)
    })

    test('an upload that began before is whole once everything is moved, and moved back', async () => {
      const { postId, videoId } = await addAwaited(before, owner)
      const video = longVideo()
      await sendChunk(before, owner, videoId, chunksOf(video)[0] ?? expect.unreachable())
      const bytes = noise(TUS_CHUNK + 1000)
      const id = await beginUpload(before, owner, bytes.length)
      await send(before, id, bytes, TUS_CHUNK)
      await send(during, id, bytes)
      await sendAll(during, owner, videoId, video)
      await sendAll(during, owner, videoId, video)
      await worlds.move('--remove')
      const after = await worlds.after()
      expect(await offsetOf(after, owner, id)).toBe(String(bytes.length))
      const back = await worlds.back()
      expect(await offsetOf(back, owner, id)).toBe(String(bytes.length))
      expect((await release(back, owner, postId)).statusCode).toBe(200)
      for (const world of [after, back]) {
        expect((await bytesIn(world, id)).equals(bytes)).toBe(true)
        expect((await bytesIn(world, videoId)).equals(video)).toBe(true)
      }
    })

    test('the first chunk that is sent again takes the place of those of the earlier one', async () => {
      const [video, other] = [longVideo(), noise(LEGACY_CHUNK + 1000)]
      const { videoId } = await addAwaited(before, owner)
      await sendAll(before, owner, videoId, video)
      await query(
        'update uploads set received = 0, chunks = null, length = null, finished_at = null where id = $1',
        videoId,
      )
      await sendAll(during, owner, videoId, other)
      expect(await places(videoId)).toEqual(inPresent(videoId))
      expect((await bytesIn(during, videoId)).equals(other)).toBe(true)
    })
  },
)
