// Uploads and pictures of a new post: complete, not expired, and each named once.
import { truncate } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { defaultBlurredImage } from '#contract/posts/blurred-image.ts'
import { newId } from '#contract/ids.ts'
import { MAX_TOTAL_BYTES, MiB } from '#contract/limits.ts'
import { expireUploads } from '#server/store/media/uploads.ts'
import {
  addPost,
  call,
  digestOf,
  type FormValue,
  type Member,
  noise,
  postIdOf,
  signUp,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { refusedAdd } from '#server/testing/refusing.ts'
import { openWorld, type World, storedAt } from '#server/testing/world.ts'

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
const refused = (fields: readonly Field[]) => refusedAdd(world, creator, [...text, ...fields])
const accepted = async (fields: readonly Field[]) =>
  (await addPost(world, creator, [...text, ...fields], newId())).statusCode
const mediaOf = async (fields: readonly Field[]) => {
  const id = postIdOf(await addPost(world, creator, [...text, ...fields], newId()))
  return (await call(world, creator, 'GET', `/posts/${id}`)).json().access.media as { id: string }[]
}

describe('an upload', () => {
  test('that has expired is upload_incomplete, even while its bytes are on the disk', async () => {
    const id = await upload(world, creator, await jpeg(), 'a.jpg')
    const expired = await expireUploads(world.deps.db, world.clock.now + 1, world.clock.now)
    expect(expired.map((it) => it.id)).toContain(id)
    expect(await refused([['has_image_file[]', id]])).toEqual([
      409,
      { code: 'upload_incomplete', fields: { [id]: 'too_small' } },
    ])
  })

  test('that lost bytes on the disk is upload_incomplete', async () => {
    const bytes = await jpeg()
    const id = await upload(world, creator, bytes, 'a.jpg')
    await truncate(storedAt(world, 'uploads', id), bytes.length - 1)
    expect(await refused([['has_image_file[]', id]])).toEqual([
      409,
      { code: 'upload_incomplete', fields: { [id]: 'too_small' } },
    ])
  })

  test('named as image and as video is malformed', async () => {
    const id = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
    const fields: readonly Field[] = [
      ['has_image_file[]', id],
      ['has_video_file', id],
    ]
    expect(await refused(fields)).toEqual([422, { code: 'invalid', fields: { has_video_file: 'malformed' } }])
  })

  test('without a file extension has the type of its bytes', async () => {
    const mp4 = await upload(world, creator, fixture('h264.mp4'), 'video')
    expect(await accepted([['has_video_file', mp4]])).toBe(200)
    const mkv = await upload(world, creator, fixture('h264.mkv'), 'video')
    expect(await refused([['has_video_file', mkv]])).toEqual([
      422,
      { code: 'invalid', fields: { thumbnail: 'thumbnail_required' } },
    ])
  })

  test('may have 1 GiB without its thumbnail; one byte more is too_large', async () => {
    const [video, picture] = [fixture('h264.mp4'), await jpeg()]
    const id = await upload(world, creator, video, 'a.mp4')
    const thumbnail: Field = ['video_thumbnail_file', { name: 't.jpg', bytes: picture }]
    const grow = async (length: number) => {
      await truncate(storedAt(world, 'uploads', id), length)
      await world.database.executeSql('update uploads set length = $1 where id = $2', [length, id])
    }
    await grow(MAX_TOTAL_BYTES + 1)
    expect(await refused([['has_video_file', id], thumbnail])).toEqual([413, { code: 'too_large' }])
    await grow(MAX_TOTAL_BYTES)
    expect(await accepted([['has_video_file', id], thumbnail])).toBe(200)
  })
})

describe('pictures inside the request', () => {
  const digest = async (bytes: Buffer) => (await digestOf('', bytes)).slice(1)
  const mismatch = [422, { code: 'digest_mismatch', fields: { 'image_file[]': 'malformed' } }]

  test('that are fewer than their digests are digest_mismatch', async () => {
    const bytes = await jpeg()
    const fields: readonly Field[] = [
      ['image_file[]', { name: 'a.jpg', bytes }],
      ['image_digest[]', await digest(bytes)],
      ['image_digest[]', await digest(bytes)],
    ]
    expect(await refused(fields)).toEqual(mismatch)
  })

  test('are compared with the digests, unlike uploads and thumbnails', async () => {
    const [bytes, thumbnail] = [await jpeg(40, 30), await jpeg(50, 30)]
    const fields: readonly Field[] = [
      ['has_image_file[]', await upload(world, creator, await jpeg(60, 30), 'b.jpg')],
      ['video_thumbnail_file', { name: 't.jpg', bytes: thumbnail }],
      ['image_file[]', { name: 'a.jpg', bytes }],
    ]
    expect(await refused([...fields, ['image_digest[]', await digest(thumbnail)]])).toEqual(mismatch)
    expect(await accepted([...fields, ['image_digest[]', await digest(bytes)]])).toBe(200)
  })

  test('that equal the default blurred picture are pictures of the post', async () => {
    const bytes = Buffer.from(defaultBlurredImage())
    expect(await mediaOf([['image_file[]', { name: 'a.png', bytes }]])).toHaveLength(1)
  })
})

test('files that exceed the limit of their author’s role together are too_large', async () => {
  const { runtime } = world.deps
  const values = await runtime.values()
  const limits = { ...values.limits, upload_mib_member: 1 }
  const limited = vi.spyOn(runtime, 'values').mockResolvedValue({ ...values, limits })
  const picture = await jpeg()
  const half: Field = [
    'image_file[]',
    { name: 'a.jpg', bytes: Buffer.concat([picture, noise(MiB / 2 - picture.length)]) },
  ]
  const more: Field = ['image_file[]', { name: 'b.jpg', bytes: Buffer.concat([picture, noise(MiB / 2)]) }]
  // The app makes a thumbnail after it has checked the sum: a film as large as the limit has one too.
  const thumbnail: Field = ['image_url', { name: 'thumbnail.jpg', bytes: picture }]
  const outcomes = [
    await refused([half, more]),
    await accepted([half, half]),
    await accepted([half, half, thumbnail]),
  ]
  limited.mockRestore()
  expect(outcomes).toEqual([[413, { code: 'too_large' }], 200, 200])
})

test('a digest that was computed once is compared with the digest of every later request', async () => {
  const bytes = await jpeg(70, 30)
  const id = await upload(world, creator, bytes, 'a.jpg')
  const [right, wrong] = [await digestOf(id, bytes), await digestOf(id, Buffer.from('other bytes'))]
  const named: Field = ['has_image_file[]', id]
  const mismatch = [422, { code: 'digest_mismatch', fields: { [id]: 'malformed' } }]
  expect(await refused([named, ['upload_digest[]', wrong]])).toEqual(mismatch)
  expect(await refused([named, ['upload_digest[]', wrong]])).toEqual(mismatch)
  expect(await accepted([named, ['upload_digest[]', right]])).toBe(200)
})

test('a file as large as the default blurred picture must be a picture', async () => {
  const bytes = Buffer.alloc(defaultBlurredImage().length, '<')
  expect(await refused([['blurred_image_file', { name: 'blurred.png', bytes }]])).toEqual([
    415,
    { code: 'unsupported_media', fields: { blurred_image_file: 'unsupported' } },
  ])
})
