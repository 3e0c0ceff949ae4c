// Release of a post with a chunked video, which must be complete and unchanged.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { resetChunks } from '#server/store/posts/chunked.ts'
import {
  addAwaited,
  type Chunk,
  chunksOf,
  longVideo,
  release,
  sendAll,
  sendChunk,
  expectedDigest,
} from '#server/testing/media/chunks.ts'
import {
  addPost,
  call,
  errorOf,
  type FormValue,
  type Member,
  noise,
  type Reply,
  signUp,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { loseBytes, lostBytes, storedBytes } from '#server/testing/media/uploads.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const answer = (reply: Reply) => [reply.statusCode, errorOf(reply)]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a post with a chunked video', () => {
    let world: World
    let creator: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      creator = await signUp(world)
    })
    afterAll(() => world.close())

    const add = (fields: readonly (readonly [string, FormValue])[] = []) => addAwaited(world, creator, fields)
    const jobsFor = async (mediaId: string) => {
      const { rows } = await world.database.executeSql(
        `select count(*)::int as n from pgboss.job where name = 'media.film' and data->>'mediaId' = '${mediaId}'`,
      )
      return (rows[0] as { n: number }).n
    }

    test('has the same ids when the request to add it is repeated', async () => {
      const { postId, videoId, key } = await add()
      const again = await addPost(
        world,
        creator,
        [
          ['type', '1'],
          ['has_video_file', '1'],
        ],
        key,
      )
      expect(again.json()).toEqual({ data: [{ item: { id: postId, video_id: videoId } }] })
    })

    test('is released once, however often this is requested, and its video is converted only then', async () => {
      const video = longVideo()
      const { postId, videoId } = await add([['video_digest', await expectedDigest(video)]])
      await sendAll(world, creator, videoId, video)
      expect(await jobsFor(videoId)).toBe(0)
      const { metrics } = world.deps
      const counted = [vi.spyOn(metrics, 'released'), vi.spyOn(metrics, 'repeated')]
      const replies = await Promise.all(Array.from({ length: 8 }, () => release(world, creator, postId)))
      expect(counted.map((it) => it.mock.calls)).toEqual([[[]], Array.from({ length: 7 }, () => ['release'])])
      for (const it of counted) it.mockRestore()
      expect(new Set(replies.map((it) => `${it.statusCode} ${it.body}`)).size).toBe(1)
      expect(replies[0]?.json()).toMatchObject({ data: { id: postId } })
      expect(await jobsFor(videoId)).toBe(1)
      expect((await storedBytes(world, videoId)).equals(video)).toBe(true)
    })

    test('is upload_incomplete before its last chunk is received, and its author sees it processing', async () => {
      const { postId, videoId } = await add()
      const [first, second] = chunksOf(longVideo()) as [Chunk, Chunk, ...Chunk[]]
      const incomplete = [409, { code: 'upload_incomplete', fields: { [videoId]: 'too_small' } }]
      expect(answer(await release(world, creator, postId))).toEqual(incomplete)
      await sendChunk(world, creator, videoId, first)
      expect(answer(await release(world, creator, postId))).toEqual(incomplete)
      expect((await call(world, creator, 'GET', `/posts/${postId}`)).json()).toMatchObject({
        released_at: null,
        access: { media: [{ id: videoId, state: 'processing', src: null }] },
      })
      // The received chunk stays counted; the next one is accepted.
      expect((await sendChunk(world, creator, videoId, second)).json()).toMatchObject({
        data: { received: 2 },
      })
    })

    test('is upload_incomplete if bytes of its file were lost, and restarts at the first chunk', async () => {
      const { postId, videoId } = await add()
      const video = fixture('h264.mp4')
      await sendAll(world, creator, videoId, video)
      await loseBytes(world, videoId, video.length - 1)
      expect(errorOf(await release(world, creator, postId)).code).toBe('upload_incomplete')
      await sendAll(world, creator, videoId, video)
      expect((await release(world, creator, postId)).statusCode).toBe(200)
      expect((await storedBytes(world, videoId)).equals(video)).toBe(true)
    })

    test('is upload_incomplete if its store has lost bytes, and restarts at the first chunk', async () => {
      const { postId, videoId } = await add()
      const video = fixture('h264.mp4')
      await sendAll(world, creator, videoId, video)
      const { uploadBytes } = world.deps.storage
      const lost = vi.spyOn(uploadBytes, 'complete').mockRejectedValueOnce(lostBytes())
      expect(errorOf(await release(world, creator, postId)).code).toBe('upload_incomplete')
      lost.mockRestore()
      await sendAll(world, creator, videoId, video)
      const failing = vi.spyOn(uploadBytes, 'complete').mockRejectedValueOnce(new Error('EIO'))
      expect((await release(world, creator, postId)).statusCode).toBe(500)
      failing.mockRestore()
      expect((await release(world, creator, postId)).statusCode).toBe(200)
    })

    test('is digest_mismatch with other bytes than were picked, and restarts at the first chunk', async () => {
      const video = fixture('h264.mp4')
      const wrong = Buffer.concat([video, Buffer.alloc(1)])
      const { postId, videoId } = await add([['video_digest', await expectedDigest(video)]])
      await sendAll(world, creator, videoId, wrong)
      expect(answer(await release(world, creator, postId))).toEqual([
        422,
        { code: 'digest_mismatch', fields: { [videoId]: 'malformed' } },
      ])
      expect(errorOf(await release(world, creator, postId)).code).toBe('upload_incomplete')
      await sendAll(world, creator, videoId, video)
      expect((await release(world, creator, postId)).statusCode).toBe(200)
      expect((await storedBytes(world, videoId)).equals(video)).toBe(true)
    })

    test.each([
      ['of a picture', () => jpeg()],
      ['of no known kind', async () => noise(5000)],
    ])('is unsupported_media with bytes %s, whatever the file name is', async (_, bytes) => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, await bytes(), 'video-1.mp4')
      expect(answer(await release(world, creator, postId))).toEqual([
        415,
        { code: 'unsupported_media', fields: { has_video_file: 'unsupported' } },
      ])
      expect(await jobsFor(videoId)).toBe(0)
    })

    test.each(['mp4', 'MOV'])('needs no thumbnail if the video is named .%s', async (extension) => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, fixture('h264.mp4'), `video-1.${extension}`)
      expect((await release(world, creator, postId)).statusCode).toBe(200)
    })

    test('needs a thumbnail if the video has another name', async () => {
      const without = await add()
      await sendAll(world, creator, without.videoId, fixture('h264.mp4'), 'video-1.mkv')
      expect(answer(await release(world, creator, without.postId))).toEqual([
        422,
        { code: 'invalid', fields: { thumbnail: 'thumbnail_required' } },
      ])
      const thumbnail = { name: 'a.jpg', bytes: await jpeg() }
      const given = await add([['video_thumbnail_file', thumbnail]])
      await sendAll(world, creator, given.videoId, fixture('h264.mp4'), 'video-1.mkv')
      expect((await release(world, creator, given.postId)).statusCode).toBe(200)
    })

    test('has a video of the type of its bytes if the file name has no extension', async () => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, fixture('h264.mp4'), 'video')
      expect((await release(world, creator, postId)).statusCode).toBe(200)
      const other = await add()
      await sendAll(world, creator, other.videoId, fixture('h264.mkv'), 'video')
      expect(errorOf(await release(world, creator, other.postId)).fields).toEqual({
        thumbnail: 'thumbnail_required',
      })
    })

    test('is not released if another server resets its chunks during the check', async () => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, fixture('h264.mp4'))
      const { db, storage } = world.deps
      const sizeOf = vi.spyOn(storage.objects, 'sizeOf').mockImplementationOnce(async () => {
        await resetChunks(db, videoId)
        return fixture('h264.mp4').length
      })
      const reply = await release(world, creator, postId)
      sizeOf.mockRestore()
      expect(answer(reply)).toEqual([409, { code: 'upload_incomplete', fields: { [videoId]: 'too_small' } }])
      expect((await call(world, creator, 'GET', `/posts/${postId}`)).json().released_at).toBeNull()
      expect(await jobsFor(videoId)).toBe(0)
    })

    test('is released by the first of two requests, and the second one checks no byte again', async () => {
      const { postId, videoId } = await add()
      const video = fixture('h264.mp4')
      await sendAll(world, creator, videoId, video)
      const { uploadLocks, storage } = world.deps
      const withLock = uploadLocks.withLock.bind(uploadLocks)
      let first: Reply | undefined
      const waiting = vi.spyOn(uploadLocks, 'withLock').mockImplementationOnce(async (id, work) => {
        first = await release(world, creator, postId)
        await storage.uploadBytes.cutAt(videoId, video.length - 1)
        return withLock(id, work)
      })
      const second = await release(world, creator, postId)
      waiting.mockRestore()
      expect([second.statusCode, second.body]).toEqual([200, first?.body])
      expect(await jobsFor(videoId)).toBe(1)
    })

    test('with a word of the operator is held: for its author alone, and no follower is notified', async () => {
      const run = async (statement: string, values: unknown[] = []) =>
        (await world.database.executeSql(statement, values)).rows
      const addWord = `insert into blocked_words (id, word, folded, created_at) values ($1, '禁句', '禁句', now())`
      await run(addWord, [newId()])
      const { postId, videoId } = await add([['content', 'これは禁句です']])
      await sendAll(world, creator, videoId, fixture('h264.mp4'))
      const replies = [await release(world, creator, postId)]
      await run('delete from blocked_words')
      replies.push(await release(world, creator, postId))
      expect(replies.map((it) => it.statusCode)).toEqual([200, 200])
      expect(replies[1]?.body).toBe(replies[0]?.body)
      const path = `/posts/${postId}`
      expect((await call(world, creator, 'GET', path)).json()).toMatchObject({
        released_at: null,
        held: { reason: 'word', word: '禁句' },
      })
      expect(answer(await call(world, await signUp(world), 'GET', path))).toEqual([
        404,
        { code: 'not_found' },
      ])
      // The hold has no earlier release, so followers are notified when it is approved.
      expect(await run('select released_at from holds where target_id = $1', [postId])).toEqual([
        { released_at: null },
      ])
      const fanOuts = `select id from pgboss.job where name = 'post.fan-out' and data->>'subjectId' = $1`
      expect(await run(fanOuts, [postId])).toEqual([])
    })

    test('is not_found if it is withdrawn while its release waits for the upload lock', async () => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, fixture('h264.mp4'))
      const { uploadLocks } = world.deps
      const withLock = uploadLocks.withLock.bind(uploadLocks)
      const waiting = vi.spyOn(uploadLocks, 'withLock').mockImplementationOnce(async (id, work) => {
        const reply = await call(world, creator, 'DELETE', `/post/unreleased/${postId}`)
        expect(reply.statusCode).toBe(200)
        return withLock(id, work)
      })
      const reply = await release(world, creator, postId)
      waiting.mockRestore()
      expect(answer(reply)).toEqual([404, { code: 'not_found' }])
    })

    test('can be released only by its author', async () => {
      const { postId, videoId } = await add()
      await sendAll(world, creator, videoId, fixture('h264.mp4'))
      expect(answer(await release(world, await signUp(world), postId))).toEqual([404, { code: 'not_found' }])
    })
  })
})
