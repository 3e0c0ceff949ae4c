// Invalid requests to /post/add: each gets its error code and leaves no temporary file.
import { readdir } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { shownIn } from '#contract/testing/test-name.ts'
import {
  addPost,
  call,
  errorOf,
  type Member,
  patch,
  identify,
  signUp,
  tus,
  upload,
} from '#server/testing/people/members.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { refusedAdd } from '#server/testing/refusing.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
let creator: Member
let other: Member
beforeAll(async () => {
  world = await openWorld()
  creator = await identify(world, await signUp(world))
  other = await signUp(world)
})
afterAll(() => world.close())

const temporaryFiles = (): Promise<string[]> => readdir(world.deps.storage.scratch.folder)
afterEach(async () => {
  expect(await temporaryFiles()).toEqual([])
})

const refused = (fields: Parameters<typeof refusedAdd>[2], as: Member | null = creator) =>
  refusedAdd(world, as, fields)
const text = [
  ['content', '本文'],
  ['type', '1'],
] as const

test('a visitor is unauthenticated', async () => {
  expect(await refused(text, null)).toEqual([401, { code: 'unauthenticated' }])
})

describe('fields', () => {
  const forms: [[string, string][], Record<string, string>][] = [
    [
      [
        ['content', '  '],
        ['type', '1'],
      ],
      { content: 'empty_post' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '4'],
      ],
      { type: 'malformed' },
    ],
    [[['content', 'x']], { type: 'required' }],
    [
      [
        ['content', 'x'],
        ['type', '1'],
        ['is_age_limited', '2'],
      ],
      { is_age_limited: 'malformed' },
    ],
    [
      [
        ['content', 'x'.repeat(10_001)],
        ['type', '1'],
      ],
      { content: 'too_long' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '2'],
      ],
      { 'plan_id[]': 'required' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '2'],
        ['plan_id[]', '01900000-0000-7000-8000-000000000000'],
      ],
      { 'plan_id[]': 'unknown_plan' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '3'],
      ],
      { price: 'required' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '3'],
        ['price', '99'],
      ],
      { price: 'too_small' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '3'],
        ['price', '50,001'],
      ],
      { price: 'too_large' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '3'],
        ['price', '百円'],
      ],
      { price: 'malformed' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '1'],
        ['image_alt[]', 'あ'.repeat(1001)],
      ],
      { 'image_alt[]': 'too_long' },
    ],
    // More descriptions than images: which image they describe is unknown.
    [
      [
        ['content', 'x'],
        ['type', '1'],
        ['image_alt[]', '海'],
      ],
      { 'image_alt[]': 'malformed' },
    ],
    [
      [
        ['content', 'x'],
        ['type', '1'],
        ['has_video_file', 'not-an-id'],
      ],
      { has_video_file: 'malformed' },
    ],
  ]
  test.each(forms.map((row) => [shownIn(row[0]), ...row] as const))('%s', async (_, fields, wrong) => {
    expect(await refused(fields)).toEqual([422, { code: 'invalid', fields: wrong }])
  })

  test('an idempotency key that is no UUID is malformed', async () => {
    const reply = await addPost(world, creator, text, 'again')
    expect(errorOf(reply)).toEqual({ code: 'invalid', fields: { 'idempotency-key': 'malformed' } })
  })

  test('commas in a price are removed', async () => {
    const fields = [
      ['content', 'x'],
      ['type', '3'],
      ['price', '1,200'],
    ] as const
    const id = (await addPost(world, creator, fields)).json().data[0].item.id
    await call(world, creator, 'POST', `/post/release-uploaded/${id}`)
    expect((await call(world, other, 'GET', `/posts/${id}`)).json().access).toMatchObject({
      wants: 'purchase',
      price: 1200,
    })
  })

  test('a body that is not multipart is a bad_request', async () => {
    const reply = await call(world, creator, 'POST', '/post/add', { content: 'x', type: '1' })
    expect([reply.statusCode, errorOf(reply).code]).toEqual([400, 'bad_request'])
  })
})

describe('uploads', () => {
  test('an id without an upload is unknown_upload', async () => {
    expect(await refused([...text, ['has_video_file', newId()]])).toEqual([
      422,
      { code: 'invalid', fields: { has_video_file: 'unknown_upload' } },
    ])
  })

  test('an upload of another person is unknown_upload', async () => {
    const id = await upload(world, other, await jpeg(), 'a.jpg')
    expect(await refused([...text, ['has_image_file[]', id]])).toEqual([
      422,
      { code: 'invalid', fields: { 'has_image_file[]': 'unknown_upload' } },
    ])
  })

  test('an unfinished upload is upload_incomplete, and can be continued', async () => {
    const bytes = await jpeg(900, 900)
    const id = newId()
    const metadata = `id ${Buffer.from(id).toString('base64')}`
    const headers = {
      ...creator.auth,
      ...tus,
      'upload-length': String(bytes.length),
      'upload-metadata': metadata,
    }
    await world.app.inject({ method: 'POST', url: '/upload-chunking-2', headers })
    await patch(world, creator, id, 0, bytes.subarray(0, 100))
    const fields = [...text, ['has_image_file[]', id]] as const
    expect(await refused(fields)).toEqual([409, { code: 'upload_incomplete', fields: { [id]: 'too_small' } }])
    expect((await patch(world, creator, id, 100, bytes.subarray(100))).statusCode).toBe(204)
    expect((await addPost(world, creator, fields)).statusCode).toBe(200)
  })

  test('an upload that is named twice is malformed', async () => {
    const id = await upload(world, creator, await jpeg(), 'a.jpg')
    expect(await refused([...text, ['has_image_file[]', id], ['has_image_file[]', id]])).toEqual([
      422,
      { code: 'invalid', fields: { 'has_image_file[]': 'malformed' } },
    ])
  })

  test('images and a video together are refused', async () => {
    const image = await upload(world, creator, await jpeg(), 'a.jpg')
    const video = await upload(world, creator, fixture('h264.mp4'), 'a.mp4')
    expect(await refused([...text, ['has_image_file[]', image], ['has_video_file', video]])).toEqual([
      422,
      { code: 'invalid', fields: { has_video_file: 'unsupported' } },
    ])
  })

  test('a video that is not named .mp4 requires a thumbnail', async () => {
    const video = await upload(world, creator, fixture('hevc-gps.mov'), 'IMG_0001.MOV')
    expect(await refused([...text, ['has_video_file', video]])).toEqual([
      422,
      { code: 'invalid', fields: { thumbnail: 'thumbnail_required' } },
    ])
    const fields = [
      ...text,
      ['has_video_file', video],
      ['video_thumbnail_file', { name: 't.jpg', bytes: await jpeg() }],
    ] as const
    expect((await addPost(world, creator, fields)).json().data[0].item.video_id).toBe(video)
  })
})
