// The bytes of a chunk are on the disk before the chunk is counted.
import { ERRORS } from '@tus/server'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { countChunk } from '#server/store/posts/chunked.ts'
import {
  addAwaited,
  type Chunk,
  chunksOf,
  longVideo,
  sendAll,
  sendChunk,
} from '#server/testing/media/chunks.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { lostBytes, storedBytes } from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const video = longVideo()
const [first, second, last] = chunksOf(video) as [Chunk, Chunk, Chunk]
let world: World
let creator: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await signUp(world)
})
afterAll(() => world.close())
afterEach(() => vi.restoreAllMocks())

test('a chunk whose bytes could not be written is not counted, and is accepted when it is sent again', async () => {
  const { videoId } = await addAwaited(world, creator)
  await sendChunk(world, creator, videoId, first)
  vi.spyOn(world.deps.storage.uploadBytes, 'place').mockRejectedValueOnce(new Error('EIO'))
  expect((await sendChunk(world, creator, videoId, second)).statusCode).toBe(500)
  const again = await sendChunk(world, creator, videoId, second)
  expect(again.json()).toMatchObject({ data: { received: 2 } })
  const together = Buffer.concat([first.bytes, second.bytes])
  expect((await storedBytes(world, videoId)).equals(together)).toBe(true)
})

test('a chunk that another server counted first is a conflict, and its bytes stay', async () => {
  const { videoId } = await addAwaited(world, creator)
  const { storage, db } = world.deps
  const { place } = storage.uploadBytes
  vi.spyOn(storage.uploadBytes, 'place').mockImplementationOnce(async (...args) => {
    await place(...args)
    const counted = { chunk: 0, chunks: first.chunks, filename: 'a.mp4', length: null }
    expect(await countChunk(db, videoId, counted, world.clock.now)).toBe(true)
  })
  const reply = await sendChunk(world, creator, videoId, first)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([409, 'conflict'])
  expect((await storedBytes(world, videoId)).equals(first.bytes)).toBe(true)
})

test('a chunk is not placed by a server whose lock did not last: the next holder may have placed further ones', async () => {
  const { videoId } = await addAwaited(world, creator)
  const { uploadLocks, storage } = world.deps
  vi.spyOn(uploadLocks, 'withLock').mockImplementationOnce((_id, work) =>
    work({
      waited: false,
      mustLast() {
        throw ERRORS.ERR_LOCK_TIMEOUT
      },
    }),
  )
  const place = vi.spyOn(storage.uploadBytes, 'place')
  const reply = await sendChunk(world, creator, videoId, first)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([503, 'unavailable'])
  expect(place).not.toHaveBeenCalled()
  expect((await sendChunk(world, creator, videoId, first)).statusCode).toBe(200)
})

test('a chunk whose store has lost those before it is chunk_out_of_order, and the first one is accepted again', async () => {
  const { videoId } = await addAwaited(world, creator)
  await sendChunk(world, creator, videoId, first)
  vi.spyOn(world.deps.storage.uploadBytes, 'place').mockRejectedValueOnce(lostBytes())
  const reply = await sendChunk(world, creator, videoId, second)
  expect([reply.statusCode, errorOf(reply).code]).toEqual([409, 'chunk_out_of_order'])
  await sendAll(world, creator, videoId, video)
  expect((await storedBytes(world, videoId)).equals(video)).toBe(true)
})

test('the last chunk completes the bytes, and no chunk before it does', async () => {
  const { videoId } = await addAwaited(world, creator)
  const complete = vi.spyOn(world.deps.storage.uploadBytes, 'complete')
  for (const it of [first, second]) await sendChunk(world, creator, videoId, it)
  expect(complete).not.toHaveBeenCalled()
  await sendChunk(world, creator, videoId, last)
  expect(complete.mock.calls).toEqual([[videoId]])
})
