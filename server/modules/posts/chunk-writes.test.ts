// The bytes of a chunk are on the disk before the chunk is counted.
import { ERRORS } from '@tus/server'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { countChunk } from '#server/store/posts/chunked.ts'
import { addAwaited, type Chunk, chunksOf, longVideo, sendChunk } from '#server/testing/media/chunks.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { storedBytes } from '#server/testing/media/uploads.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const video = longVideo()
const [first, second] = chunksOf(video) as [Chunk, Chunk, ...Chunk[]]
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
