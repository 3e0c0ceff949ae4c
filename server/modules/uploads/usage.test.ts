// Limits of one person's uploads: unfinished ones, their bytes, and those begun per minute.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES } from '#contract/limits.ts'
import { noLimits } from '#server/http/limits.ts'
import { addAwaited, sendAll } from '#server/testing/media/chunks.ts'
import { addPost, errorOf, head, patch, type Reply, signUp } from '#server/testing/people/members.ts'
import { fixture } from '#server/testing/pictures.ts'
import { beginUpload, createUpload, metadataOf, removeUploadOf } from '#server/testing/media/uploads.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const outcomeOf = (reply: Reply) => [reply.statusCode, errorOf(reply)]

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('with three uploads and 2 GiB for each person', () => {
    let world: World
    beforeAll(async () => {
      const uploadsPerPerson = { count: 3, bytes: 2 * MAX_TOTAL_BYTES, stored: 1e15 }
      world = await openWorld({ database: kind, settings: { uploadsPerPerson } })
    })
    afterAll(() => world.close())
    const begin = (as: Parameters<typeof createUpload>[1], length = 1, id = newId()) =>
      createUpload(world, as, { 'upload-length': String(length), 'upload-metadata': metadataOf(id) })

    test('a fourth unfinished upload is rate_limited until one is finished or removed', async () => {
      const owner = await signUp(world)
      const [one, two] = [await beginUpload(world, owner, 1), await beginUpload(world, owner, 1)]
      await beginUpload(world, owner, 1)
      const refused = newId()
      expect(outcomeOf(await begin(owner, 1, refused))).toEqual([429, { code: 'rate_limited' }])
      expect((await head(world, owner, refused)).statusCode).toBe(404)
      await patch(world, owner, one, 0, Buffer.from('x'))
      expect((await begin(owner, 1, refused)).statusCode).toBe(201)
      expect((await begin(owner)).statusCode).toBe(429)
      await removeUploadOf(world, owner, two)
      expect((await begin(owner)).statusCode).toBe(201)
      expect((await begin(await signUp(world))).statusCode).toBe(201)
    })

    test('of eight uploads begun at once three are accepted', async () => {
      const owner = await signUp(world)
      const replies = await Promise.all(Array.from({ length: 8 }, () => begin(owner)))
      expect(replies.map((it) => it.statusCode).toSorted()).toEqual([201, 201, 201, 429, 429, 429, 429, 429])
    })

    test('bytes beyond the limit are rate_limited; an unknown length counts as the largest', async () => {
      const owner = await signUp(world)
      await createUpload(world, owner, { 'upload-defer-length': '1', 'upload-metadata': metadataOf(newId()) })
      expect((await begin(owner, MAX_TOTAL_BYTES)).statusCode).toBe(201)
      expect(outcomeOf(await begin(owner))).toEqual([429, { code: 'rate_limited' }])
    })

    test('a video of the legacy protocol counts until it is complete', async () => {
      const owner = await signUp(world)
      const first = await addAwaited(world, owner)
      await addAwaited(world, owner)
      const fields = [
        ['type', '1'],
        ['has_video_file', '1'],
      ] as const
      const key = newId()
      expect(outcomeOf(await addPost(world, owner, fields, key))).toEqual([429, { code: 'rate_limited' }])
      await sendAll(world, owner, first.videoId, fixture('h264.mp4'))
      expect((await addPost(world, owner, fields, key)).statusCode).toBe(200)
    })
  })
})

describe('with two uploads begun a minute', () => {
  let world: World
  beforeAll(async () => {
    const uploadsBegun = { max: 2, timeWindow: 60_000 }
    world = await openWorld({ settings: { limits: { ...noLimits, uploadsBegun } } })
  })
  afterAll(() => world.close())

  test('uploads begun too fast are rate_limited; uploads in progress continue', async () => {
    const owner = await signUp(world)
    const id = await beginUpload(world, owner, 1)
    await beginUpload(world, owner, 1)
    const third = await createUpload(world, owner, { 'upload-length': '1' })
    expect(outcomeOf(third)).toEqual([429, { code: 'rate_limited' }])
    expect((await patch(world, owner, id, 0, Buffer.from('x'))).statusCode).toBe(204)
  })
})
