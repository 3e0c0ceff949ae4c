// Chunks of a post's video: each is stored once, in order (specification section 7).
import { readdir, truncate, writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { LEGACY_CHUNK, MAX_TOTAL_BYTES, MiB } from '#contract/limits.ts'
import {
  addAwaited,
  type Chunk,
  chunksOf,
  longVideo,
  release,
  sendAll,
  sendChunk,
} from '#server/testing/media/chunks.ts'
import {
  call,
  errorOf,
  head,
  type Member,
  noise,
  patch,
  type Reply,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { storedBytes } from '#server/testing/media/uploads.ts'
import { databases, onS3, openWorld, type World, storedAt } from '#server/testing/world.ts'

const answer = (reply: Reply) => [reply.statusCode, errorOf(reply)]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('the chunks of a video', () => {
    let world: World
    let creator: Member
    let id: string
    let postId: string
    const video = longVideo()
    const [first, second, last] = chunksOf(video) as [Chunk, Chunk, Chunk]
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await signUp(world)
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      ;({ videoId: id, postId } = await addAwaited(world, creator))
    })
    afterEach(async () => {
      expect(await readdir(world.deps.storage.scratch.folder)).toEqual([])
    })
    const send = (it: Chunk, as: Member | null = creator) => sendChunk(world, as, id, it)
    const received = (reply: Reply) => reply.json().data.received as number

    test('chunks in order make up the picked file', async () => {
      const replies = [await send(first), await send(second), await send(last)]
      expect(replies.map((it) => it.json().data)).toEqual([
        { file_id: id, chunk: 0, received: 1 },
        { file_id: id, chunk: 1, received: 2 },
        { file_id: id, chunk: 2, received: 3 },
      ])
      expect((await storedBytes(world, id)).equals(video)).toBe(true)
    })

    test('a chunk that is sent again, or six times at once, changes nothing', async () => {
      const replies = await Promise.all(Array.from({ length: 6 }, () => send(first)))
      expect(replies.map((it) => [it.statusCode, received(it)])).toEqual(replies.map(() => [200, 1]))
      await send(second)
      expect(received(await send({ ...first, bytes: noise(LEGACY_CHUNK) }))).toBe(2)
      await send(last)
      expect(received(await send(last))).toBe(3)
      expect((await storedBytes(world, id)).equals(video)).toBe(true)
    })

    test('a chunk after the next one is chunk_out_of_order', async () => {
      expect(answer(await send(second))).toEqual([409, { code: 'chunk_out_of_order' }])
      await send(first)
      expect(answer(await send(last))).toEqual([409, { code: 'chunk_out_of_order' }])
      expect(received(await send(second))).toBe(2)
    })

    test('bytes after the counted chunks are overwritten', async () => {
      await send(first)
      const uncounted = storedAt(world, 'tmp', newId())
      await writeFile(uncounted, noise(LEGACY_CHUNK))
      await world.deps.storage.uploadBytes.place(id, LEGACY_CHUNK, uncounted)
      await send(second)
      await send(last)
      expect((await storedBytes(world, id)).equals(video)).toBe(true)
    })

    test('another total number of chunks is a conflict', async () => {
      await send(first)
      expect(answer(await send({ ...second, chunks: 4 }))).toEqual([
        409,
        { code: 'conflict', fields: { chunks: 'malformed' } },
      ])
    })

    test('after the release every chunk is a conflict', async () => {
      const whole = fixture('h264.mp4')
      await sendAll(world, creator, id, whole)
      expect((await release(world, creator, postId)).statusCode).toBe(200)
      expect(answer(await send({ chunk: 0, chunks: 1, bytes: whole }))).toEqual([409, { code: 'conflict' }])
    })

    test('a visitor is unauthenticated; another person and an unknown id are not_found', async () => {
      const other = await signUp(world)
      expect(answer(await send(first, null))).toEqual([401, { code: 'unauthenticated' }])
      expect(answer(await send(first, other))).toEqual([404, { code: 'not_found' }])
      expect(answer(await sendChunk(world, creator, newId(), first))).toEqual([404, { code: 'not_found' }])
    })

    test('neither of the two upload protocols finds the uploads of the other', async () => {
      const image = await upload(world, creator, await jpeg(), 'a.jpg')
      expect(answer(await sendChunk(world, creator, image, first))).toEqual([404, { code: 'not_found' }])
      expect((await head(world, creator, id)).statusCode).toBe(404)
      expect((await patch(world, creator, id, 0, Buffer.from('x'))).statusCode).toBe(404)
    })

    const byte = Buffer.alloc(1)
    const refusals: [string, Chunk, number, unknown][] = [
      [
        'a short chunk that is not the last',
        { chunk: 0, chunks: 2, bytes: byte },
        422,
        { file: 'too_small' },
      ],
      ['an empty chunk', { chunk: 0, chunks: 1, bytes: Buffer.alloc(0) }, 422, { file: 'required' }],
      ['an index after the last chunk', { chunk: 3, chunks: 3, bytes: byte }, 422, { chunk: 'too_large' }],
      ['a total of zero chunks', { chunk: 0, chunks: 0, bytes: byte }, 422, { chunks: 'too_small' }],
      ['more chunks than 1 GiB has', { chunk: 0, chunks: 172, bytes: byte }, 413, { chunks: 'too_large' }],
      [
        'a chunk above 6 MiB',
        { chunk: 0, chunks: 1, bytes: Buffer.alloc(LEGACY_CHUNK + 1) },
        413,
        { file: 'too_large' },
      ],
    ]
    test.each(refusals)('%s is refused', async (_, chunk, status, fields) => {
      const code = status === 413 ? 'too_large' : 'invalid'
      expect(answer(await send(chunk))).toEqual([status, { code, fields }])
      await expect(storedBytes(world, id)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('two files in one request are refused', async () => {
      const form = new FormData()
      form.append('file_id', id)
      form.append('file_name', 'a.mp4')
      for (const it of [first, second]) form.append('file', new Blob([new Uint8Array(it.bytes)]), 'blob')
      form.append('chunk', '0')
      form.append('chunks', '3')
      const encoded = new Response(form)
      const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
      const body = Buffer.from(await encoded.arrayBuffer())
      const reply = await call(world, creator, 'POST', '/post/upload-chunking', body, headers)
      expect(answer(reply)).toEqual([422, { code: 'invalid', fields: { file: 'unsupported' } }])
      await expect(storedBytes(world, id)).rejects.toMatchObject({ code: 'ENOENT' })
    })

    test('a chunk by which a video exceeds the limit of its sender’s role is too_large', async () => {
      const { runtime } = world.deps
      const values = await runtime.values()
      const limits = { ...values.limits, upload_mib_member: LEGACY_CHUNK / MiB }
      const limited = vi.spyOn(runtime, 'values').mockResolvedValue({ ...values, limits })
      const replies = [await send(first), await send(second)]
      limited.mockRestore()
      expect([replies[0]?.statusCode, replies[1] && answer(replies[1])]).toEqual([
        200,
        [413, { code: 'too_large' }],
      ])
      expect((await storedBytes(world, id)).equals(first.bytes)).toBe(true)
    })

    // In an object store no chunk follows others that were not stored.
    test.skipIf(onS3)('a video and the other files of its post have no more than 1 GiB', async () => {
      const chunks = Math.ceil(MAX_TOTAL_BYTES / LEGACY_CHUNK)
      const lastChunkBytes = MAX_TOTAL_BYTES - (chunks - 1) * LEGACY_CHUNK
      const thumbnail = await jpeg()
      const post = await addAwaited(world, creator, [['image_url', { name: 'a.jpg', bytes: thumbnail }]])
      // Counts all chunks but the last as received.
      await world.database.executeSql('update uploads set received = $1, chunks = $2 where id = $3', [
        chunks - 1,
        chunks,
        post.videoId,
      ])
      await writeFile(storedAt(world, 'uploads', post.videoId), '')
      await truncate(storedAt(world, 'uploads', post.videoId), (chunks - 1) * LEGACY_CHUNK)
      const bytes = Buffer.alloc(lastChunkBytes - thumbnail.length + 1)
      const lastChunk = { chunk: chunks - 1, chunks, bytes }
      expect(answer(await sendChunk(world, creator, post.videoId, lastChunk))).toEqual([
        413,
        { code: 'too_large' },
      ])
      const fitting = { ...lastChunk, bytes: bytes.subarray(1) }
      expect((await sendChunk(world, creator, post.videoId, fitting)).statusCode).toBe(200)
    })
  })
})
