// Ids, owners and sizes of uploads that a request begins, finds or removes.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MiB } from '#contract/limits.ts'
import { TUS_PATH } from '#contract/paths.ts'
import { addAwaited } from '#server/testing/media/chunks.ts'
import { createUpload, metadataOf, removeUploadOf } from '#server/testing/media/uploads.ts'
import {
  errorOf,
  head,
  type Member,
  noise,
  type Reply,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let owner: Member
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  owner = await signUp(world)
})

const create = (headers: Record<string, string>) => createUpload(world, owner, headers)
const answer = (reply: Reply) => [reply.statusCode, errorOf(reply)]
const notFound = [404, { code: 'not_found' }]
const rowOf = async (id: string) =>
  (await world.database.executeSql('select length, metadata, finished_at from uploads where id = $1', [id]))
    .rows[0] as { length: unknown; metadata: unknown; finished_at: Date | null }

describe('beginning', () => {
  test('with metadata that name the id without a value makes an id', async () => {
    const reply = await create({ 'upload-length': '1', 'upload-metadata': 'id,filename' })
    expect([reply.statusCode, reply.headers['location']]).toEqual([
      201,
      expect.stringMatching(/^\/upload-chunking-2\/[0-9a-f-]{36}$/),
    ])
    const id = String(reply.headers['location']).slice(TUS_PATH.length + 1)
    expect((await rowOf(id)).metadata).toEqual({ id: null, filename: null })
  })

  test('stores a name without control characters', async () => {
    const id = newId()
    const name = Buffer.from('a\u0000b.mp4').toString('base64')
    const metadata = `id ${Buffer.from(id).toString('base64')},filename ${name}`
    expect((await create({ 'upload-length': '1', 'upload-metadata': metadata })).statusCode).toBe(201)
    expect(JSON.stringify((await rowOf(id)).metadata)).not.toContain('\\u0000')
  })

  test('an empty file ends it, unlike a file whose length comes later', async () => {
    const [empty, deferred] = [newId(), newId()]
    await create({ 'upload-length': '0', 'upload-metadata': metadataOf(empty) })
    await create({ 'upload-defer-length': '1', 'upload-metadata': metadataOf(deferred) })
    expect((await rowOf(empty)).finished_at).not.toBeNull()
    expect(await rowOf(deferred)).toMatchObject({ length: null, finished_at: null })
  })

  test('above the limit of the sender’s role is too_large, and no upload is begun', async () => {
    const { runtime } = world.deps
    const values = await runtime.values()
    const limits = { ...values.limits, upload_mib_member: 1 }
    const limited = vi.spyOn(runtime, 'values').mockResolvedValue({ ...values, limits })
    const [large, fitting] = [newId(), newId()]
    const replies = [
      await create({ 'upload-length': String(MiB + 1), 'upload-metadata': metadataOf(large) }),
      await create({ 'upload-length': String(MiB), 'upload-metadata': metadataOf(fitting) }),
    ]
    limited.mockRestore()
    expect(replies[0] && answer(replies[0])).toEqual([413, { code: 'too_large' }])
    expect([replies[1]?.statusCode, await rowOf(large)]).toEqual([201, undefined])
  })
})

describe('an upload', () => {
  test.each([
    ['that does not exist', newId()],
    ['with an id that is no UUID', 'no-id'],
  ])('%s is not_found', async (_, id) => {
    expect((await head(world, owner, id)).statusCode).toBe(404)
    expect(answer(await removeUploadOf(world, owner, id))).toEqual(notFound)
  })

  test('whose last byte is stored and not recorded, as after a crash, is finished by the next HEAD', async () => {
    const id = await upload(world, owner, noise(10), 'a.mp4')
    await world.database.executeSql('update uploads set finished_at = null where id = $1', [id])
    expect((await head(world, owner, id)).headers['upload-offset']).toBe('10')
    expect((await rowOf(id)).finished_at).not.toBeNull()
  })

  test('that arrives by chunks is not_found and stays', async () => {
    const { videoId } = await addAwaited(world, owner)
    expect((await head(world, owner, videoId)).statusCode).toBe(404)
    expect(answer(await removeUploadOf(world, owner, videoId))).toEqual(notFound)
    expect(await rowOf(videoId)).toMatchObject({ finished_at: null })
  })
})
