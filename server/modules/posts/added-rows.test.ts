// What a new post stores of its files, and what it counts.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { LEGACY_CHUNK } from '#contract/limits.ts'
import { defined } from '#contract/testing/defined.ts'
import {
  addPost,
  call,
  type FormValue,
  type Member,
  noise,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { addAwaited, sendChunk } from '#server/testing/media/chunks.ts'
import { refusedAdd } from '#server/testing/refusing.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await signUp(world)
})
afterAll(() => world.close())

type Field = readonly [string, FormValue]
const text: readonly Field[] = [
  ['content', '本文'],
  ['type', '1'],
]
const add = (fields: readonly Field[], key: string = newId()) =>
  addPost(world, creator, [...text, ...fields], key)
const rowOf = async (statement: string, id: string) =>
  (await world.database.executeSql(statement, [id])).rows[0] as Record<string, unknown> | undefined
const uploadOf = (id: string) =>
  rowOf(
    'select length::text, metadata, received, finished_at is not null as finished from uploads where id = $1',
    id,
  )
const mediaOf = (id: string) => rowOf('select kind, mime, state, duration from media where id = $1', id)
const jobsFor = async (id: string) =>
  rowOf(`select count(*)::int as count from pgboss.job where data->>'mediaId' = $1`, id)
const viewOf = async (post: string) =>
  (await call(world, creator, 'GET', `/posts/${post}`)).json().access.media as { id: string; alt: string }[]

describe('a video that is sent in chunks after the post', () => {
  test('has a row without bytes, and no job before the release', async () => {
    const { videoId: id } = await addAwaited(world, creator, [['video_duration', '12']])
    expect(await uploadOf(id)).toEqual({ length: null, metadata: {}, received: 0, finished: false })
    expect(await mediaOf(id)).toMatchObject({
      kind: 'video',
      mime: 'application/octet-stream',
      duration: 12,
    })
    expect(await jobsFor(id)).toEqual({ count: 0 })
  })

  test('has its length with its last chunk, and no earlier', async () => {
    const { videoId: id } = await addAwaited(world, creator)
    await sendChunk(world, creator, id, { chunk: 0, chunks: 2, bytes: noise(LEGACY_CHUNK) })
    expect(await uploadOf(id)).toMatchObject({ length: null, received: 1, finished: false })
    await sendChunk(world, creator, id, { chunk: 1, chunks: 2, bytes: noise(10) })
    expect(await uploadOf(id)).toMatchObject({ length: String(LEGACY_CHUNK + 10), received: 2 })
  })

  test('counts each chunk that is sent again, and no other', async () => {
    const { videoId: id } = await addAwaited(world, creator)
    const repeated = vi.spyOn(world.deps.metrics, 'repeated')
    const first = { chunk: 0, chunks: 2, bytes: noise(LEGACY_CHUNK) }
    await sendChunk(world, creator, id, first)
    expect(repeated.mock.calls).toEqual([])
    await sendChunk(world, creator, id, first)
    expect(repeated.mock.calls).toEqual([['chunk']])
    repeated.mockRestore()
  })
})

test('a picture inside the request is a finished upload with its name, and an image without description', async () => {
  const bytes = await jpeg()
  const post = postIdOf(await add([['image_file[]', { name: '海.jpg', bytes }]]))
  const [image] = await viewOf(post)
  expect(image).toMatchObject({ alt: '' })
  const id = defined(image?.id)
  expect(await uploadOf(id)).toEqual({
    length: String(bytes.length),
    metadata: { filename: '海.jpg' },
    received: null,
    finished: true,
  })
  expect(await mediaOf(id)).toMatchObject({ kind: 'image', mime: 'image/jpeg', duration: null })
  expect(await jobsFor(id)).toEqual({ count: 1 })
})

test('the duration that the client measured is that of the video, and not of its thumbnail', async () => {
  const video = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
  const thumbnail = await jpeg()
  const fields: readonly Field[] = [
    ['has_video_file', video],
    ['video_duration', '3'],
    ['video_thumbnail_file', { name: 't.jpg', bytes: thumbnail }],
  ]
  const post = postIdOf(await add(fields))
  const { rows } = await world.database.executeSql(
    `select media.kind, media.duration from media join post_media on media_id = media.id where post_id = $1 order by kind`,
    [post],
  )
  expect(rows).toEqual([
    { kind: 'image', duration: null },
    { kind: 'video', duration: 3 },
  ])
})

test('more descriptions than images are malformed, whatever other pictures there are', async () => {
  const bytes = await jpeg()
  const fields: readonly Field[] = [
    ['image_file[]', { name: 'a.jpg', bytes }],
    ['blurred_image_file', { name: 'b.jpg', bytes }],
    ['image_alt[]', '海'],
  ]
  expect((await add(fields)).statusCode).toBe(200)
  const more = await refusedAdd(world, creator, [...text, ...fields, ['image_alt[]', '山']])
  expect(more).toEqual([422, { code: 'invalid', fields: { 'image_alt[]': 'malformed' } }])
})

test('a request that is sent again counts as a repeated post, and a new one does not', async () => {
  const repeated = vi.spyOn(world.deps.metrics, 'repeated')
  const [key, other] = [newId(), newId()]
  await add([], key)
  expect(repeated.mock.calls).toEqual([])
  await add([], key)
  expect(repeated.mock.calls).toEqual([['post']])
  // At once: both find no post before one of them adds it, or one finds it.
  await Promise.all([add([], other), add([], other)])
  expect(repeated.mock.calls).toEqual([['post'], ['post']])
  repeated.mockRestore()
})
