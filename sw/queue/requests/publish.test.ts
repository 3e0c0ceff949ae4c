// Adding and releasing a post, as transcripts (specification sections 7 and 8).
import { expect, test } from 'vitest'
import { defaultBlurredImage } from '#contract/posts/blurred-image.ts'
import type { PostJob } from '#device/jobs/job-rows.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import type { Media } from '#device/database/schema.ts'
import type { QueueStore } from '#sw/queue/ports.ts'
import { createPostApi } from './publish.ts'
import { scripted, stillClock, storeWith, type ScriptedReply } from '#sw/testing/scripted-server.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const JOB = '018f0000-0000-7000-8000-0000000000bb'
const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const THUMB = '018f0000-0000-7000-8000-00000000000c'
const DIGEST = `${'A'.repeat(43)}=`
const added = { status: 200, body: { data: [{ item: { id: 'p1', video_id: 'v1' } }] } }

function job(
  form: Partial<PostJob['form']>,
  fileIds: string[] = [],
  protocol: PostJob['protocol'] = 'tus',
): PostJob {
  const empty = postJob([], { id: JOB, key: JOB, ownerId: OWNER, protocol, stage: { is: 'requested' } })
  const files = fileIds.map((id): JobFile => {
    const url = `https://todoke.test/upload-chunking-2/${id}`
    return { ...newFile({ id, size: 3 }), state: { is: 'sent', url } }
  })
  return { ...empty, form: { ...empty.form, content: '本文', ...form }, files }
}

function api(
  answers: ScriptedReply[],
  person = OWNER,
  alts: Record<string, string> = {},
  given: Partial<QueueStore> = {},
) {
  const refused: string[] = []
  const server = scripted(answers.map((answer) => () => answer))
  const user = { id: person, email: 'a@example.com', name: '葵', avatar_url: null, role: 'member' } as const
  const row = (id: string) =>
    ({ id, name: 'a.jpg', mime: 'image/jpeg', size: 2, alt: alts[id] ?? '' }) as Media
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    refused: async (token) => void refused.push(token),
    digest: async () => DIGEST,
    media: async (id) => row(id),
    range: async () => new Blob(['xy']),
    ...given,
  })
  const publish = createPostApi({
    fetch: server.fetch,
    clock: stillClock,
    store,
    api: 'https://todoke.test/api',
  })
  return { publish, server, refused }
}

const still = new AbortController().signal
const fieldsOf = (form: unknown) =>
  [...(form as FormData)].map(([key, value]) => [key, value instanceof File ? value.name : value])

test('a text post contains its key, its owner’s token and only the fields that it needs', async () => {
  const { publish, server } = api([added])
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'ok', value: { postId: 'p1', videoId: 'v1' } })
  const [request] = server.heard
  expect(request?.path).toBe('/api/post/add')
  expect(request?.headers).toMatchObject({ 'Idempotency-Key': JOB, Authorization: 'Bearer secret' })
  expect(request?.cache, 'a response of the HTTP cache is no answer of the server').toBe('no-store')
  expect(fieldsOf(request?.body)).toEqual([
    ['content', '本文'],
    ['type', '1'],
    ['is_age_limited', '0'],
  ])
})

test('pictures are named by their upload ids, in order, each with its digest', async () => {
  const { publish, server } = api([added])
  await publish.addPost(job({ kind: 'images', isAgeLimited: true, type: 2, planIds: [THUMB] }, [B, A]), still)
  expect(fieldsOf(server.heard[0]?.body)).toEqual([
    ['content', '本文'],
    ['type', '2'],
    ['is_age_limited', '1'],
    ['plan_id[]', THUMB],
    ['has_image_file[]', B],
    ['upload_digest[]', `${B}:${DIGEST}`],
    ['has_image_file[]', A],
    ['upload_digest[]', `${A}:${DIGEST}`],
    ['blurred_image_file', 'blurred.png'],
  ])
})

test('a title and an introduction are sent where there are some, by both protocols', async () => {
  const texts = { title: '題', introduction: '紹介' }
  const named = async (form: Partial<PostJob['form']>, protocol: PostJob['protocol']) => {
    const { publish, server } = api([added])
    await publish.addPost({ ...job(form), protocol }, still)
    return fieldsOf(server.heard[0]?.body).filter(([name]) => name !== undefined && name in texts)
  }
  for (const protocol of ['tus', 'chunked'] as const) {
    expect(await named(texts, protocol)).toEqual(Object.entries(texts))
    expect(await named({}, protocol)).toEqual([])
  }
})

test('a post that accepts no comments says so', async () => {
  const { publish, server } = api([added])
  await publish.addPost(job({ commentsClosed: true }), still)
  expect(fieldsOf(server.heard[0]?.body)).toContainEqual(['comments_closed', '1'])
})

test('what was declared about a film is sent with its version, and nothing otherwise', async () => {
  const { publish, server } = api([added, added])
  await publish.addPost(job({ filmDeclaration: 1 }), still)
  await publish.addPost(job({}), still)
  const sent = server.heard.map(({ body }) => fieldsOf(body).filter(([name]) => name === 'film_declaration'))
  expect(sent).toEqual([[['film_declaration', '1']], []])
})

test('a post without the digest of one of its files is not requested', async () => {
  const { publish, server } = api(
    [added],
    OWNER,
    {},
    { digest: async (id) => (id === B ? undefined : DIGEST) },
  )
  const end = await publish.addPost(job({ kind: 'images' }, [A, B]), still)
  expect([end, server.heard]).toEqual([{ is: 'refused', code: 'bytes_missing' }, []])
})

test('a file that was removed from the post is not named', async () => {
  const { publish, server } = api([added])
  const it = job({ kind: 'images' }, [A, B])
  await publish.addPost(
    jobAfter({ ...it, stage: { is: 'open' } }, { type: 'fileCancelled', fileId: A }),
    still,
  )
  expect(server.form(0).getAll('has_image_file[]')).toEqual([B])
})

test.each([
  [1, false],
  [2, true],
  [3, true],
] as const)('a post of type %i contains the default blurred picture: %s', async (type, carried) => {
  const { publish, server } = api([added])
  await publish.addPost(job({ type, price: '500' }), still)
  const blurred = server.form(0).get('blurred_image_file')
  if (!carried) return expect(blurred).toBeNull()
  expect(blurred).toBeInstanceOf(File)
  const bytes = new Uint8Array(await (blurred as File).arrayBuffer())
  expect([(blurred as File).type, bytes]).toEqual(['image/png', defaultBlurredImage()])
})

test('descriptions of pictures are sent in the order of the pictures, by both protocols', async () => {
  for (const protocol of ['tus', 'chunked'] as const) {
    const { publish, server } = api([added], OWNER, { [A]: '朝の海' })
    await publish.addPost(job({ kind: 'images' }, [B, A], protocol), still)
    expect(server.form(0).getAll('image_alt[]')).toEqual(['', '朝の海'])
    expect(server.form(0).has('image_file[]')).toBe(protocol === 'chunked')
  }
})

test('only pictures have descriptions; one whose row is gone has none', async () => {
  const video = api([added], OWNER, { [A]: '朝の海' })
  await video.publish.addPost(job({ kind: 'video' }, [A]), still)
  const gone = api([added], OWNER, {}, { media: async () => undefined })
  await gone.publish.addPost(job({ kind: 'images' }, [A]), still)
  for (const { server } of [video, gone]) expect(server.form(0).has('image_alt[]')).toBe(false)
})

test('a video post by the legacy protocol without a file is not requested', async () => {
  const digest = async (id: string) => (id === '' ? undefined : DIGEST)
  const { publish, server } = api([added], OWNER, {}, { digest })
  const end = await publish.addPost(job({ kind: 'video' }, [], 'chunked'), still)
  expect([end, server.heard]).toEqual([{ is: 'refused', code: 'bytes_missing' }, []])
})

test('a priced video is sent with whole seconds, its frame, its thumbnail and the price in digits', async () => {
  const { publish, server } = api([added])
  const form = {
    kind: 'video',
    type: 3,
    price: '１,０００円',
    duration: 61,
    thumbnailId: THUMB,
    frameId: THUMB,
  } as const
  await publish.addPost(job(form, [A]), still)
  expect(fieldsOf(server.heard[0]?.body)).toEqual([
    ['content', '本文'],
    ['type', '3'],
    ['is_age_limited', '0'],
    ['price', '1000'],
    ['has_video_file', A],
    ['upload_digest[]', `${A}:${DIGEST}`],
    ['video_duration', '61'],
    ['image_url', 'a.jpg'],
    ['video_thumbnail_file', 'a.jpg'],
    ['blurred_image_file', 'blurred.png'],
  ])
})

test('the upload id is the last segment of the address the server named', async () => {
  const { publish, server } = api([added])
  const it = job({ kind: 'video' }, [A])
  const files = it.files.map((file): JobFile => {
    return { ...file, state: { is: 'sent', url: 'https://files.example/u/4711' } }
  })
  await publish.addPost({ ...it, files }, still)
  expect(server.form(0).get('has_video_file')).toBe('4711')
})

test('a post is also added by a reply with a single entry, whose id may be a number', async () => {
  const { publish } = api([{ status: 200, body: { data: { item: { id: 7, video_id: null } } } }])
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'ok', value: { postId: '7', videoId: null } })
})

test('a release is one call without a body, confirmed by the id of its post', async () => {
  const { publish, server } = api([{ status: 200, body: { data: { id: 'p 1' } } }])
  expect(await publish.release(job({}), 'p 1', still)).toEqual({ is: 'ok', value: null })
  expect(server.heard[0]).toMatchObject({ method: 'POST', path: '/api/post/release-uploaded/p%201' })
  expect(server.heard[0]?.body).toBeUndefined()
})

test('a refused token is deleted and the job waits for its owner', async () => {
  const { publish, refused } = api([{ status: 401, body: { error: { code: 'unauthenticated' } } }])
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'signedOut', refused: true })
  expect(refused).toEqual(['secret'])
})

test('no request is sent while another person is signed in', async () => {
  const { publish, server } = api([], A)
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'signedOut' })
  expect(server.heard).toEqual([])
})

test.each([
  ['of everyone', { type: 1 }, []],
  ['of plans', { type: 2 }, ['plan_id[]', 'blurred_image_file']],
  ['with a price', { type: 3 }, ['price', 'blurred_image_file']],
] as const)('a post %s has only the fields of its type', async (_name, more, fields) => {
  const { publish, server } = api([added])
  const form = { price: '500', planIds: [THUMB], duration: 61, frameId: THUMB, ...more }
  await publish.addPost(job(form), still)
  const names = [...server.form(0).keys()]
  expect(names).toEqual(['content', 'type', 'is_age_limited', ...fields])
})

test('a video of unknown length is sent without a duration', async () => {
  const { publish, server } = api([added])
  await publish.addPost(job({ kind: 'video', duration: null }, [A]), still)
  expect(server.form(0).has('video_duration')).toBe(false)
})

test('by the legacy protocol the request contains pictures and their digests, and the digest of a video', async () => {
  const { publish, server } = api([added, added])
  await publish.addPost(job({ kind: 'images' }, [B, A], 'chunked'), still)
  await publish.addPost(job({ kind: 'video' }, [A], 'chunked'), still)
  const text = [
    ['content', '本文'],
    ['type', '1'],
    ['is_age_limited', '0'],
  ]
  const picture = [
    ['image_file[]', 'a.jpg'],
    ['image_digest[]', DIGEST],
  ]
  expect([0, 1].map((index) => fieldsOf(server.heard[index]?.body))).toEqual([
    [...text, ...picture, ...picture],
    [...text, ['has_video_file', '1'], ['video_digest', DIGEST]],
  ])
  expect((server.form(0).get('image_file[]') as File).type).toBe('image/jpeg')
})

test.each([
  ['a file', 'digest', { kind: 'images' }, 'tus'],
  ['a picture inside', 'digest', { kind: 'images' }, 'chunked'],
  ['a picture inside', 'range', { kind: 'images' }, 'chunked'],
  ['a picture inside', 'media', { kind: 'images' }, 'chunked'],
  ['a video', 'digest', { kind: 'video' }, 'chunked'],
  ['a thumbnail', 'media', { thumbnailId: THUMB }, 'tus'],
  ['a thumbnail', 'range', { thumbnailId: THUMB }, 'tus'],
] as const)(
  'without %s on the device (%s) no post is requested: %j, %s',
  async (_name, call, form, protocol) => {
    const { publish, server } = api([], OWNER, {}, { [call]: async () => undefined })
    const files = 'kind' in form ? [A] : []
    expect(await publish.addPost(job(form, files, protocol), still)).toEqual({
      is: 'refused',
      code: 'bytes_missing',
    })
    expect(server.heard).toEqual([])
  },
)

test.each(['media', 'range'] as const)(
  'a video whose frame is not on the device (%s) is sent without it: the server takes one',
  async (call) => {
    const { publish, server } = api([added], OWNER, {}, { [call]: async () => undefined })
    const end = await publish.addPost(job({ kind: 'video', frameId: THUMB }, [A]), still)
    expect(end).toEqual({ is: 'ok', value: { postId: 'p1', videoId: 'v1' } })
    expect([...server.form(0).keys()]).toEqual([
      'content',
      'type',
      'is_age_limited',
      'has_video_file',
      'upload_digest[]',
    ])
  },
)

test('an error of the device’s database is passed on and does not end the post', async () => {
  const broken = new DOMException('no database', 'InvalidStateError')
  const { publish } = api([], OWNER, {}, { digest: () => Promise.reject(broken) })
  await expect(publish.addPost(job({ kind: 'images' }, [A]), still)).rejects.toBe(broken)
})

test('a digest mismatch names its uploads; by the legacy protocol it is about every file', async () => {
  const differs = { status: 422, body: { error: { code: 'digest_mismatch', fields: { [A]: 'malformed' } } } }
  const { publish } = api([differs, differs, differs])
  const tus = await publish.addPost(job({ kind: 'images' }, [B, A]), still)
  const inside = await publish.addPost(job({ kind: 'images' }, [B, A], 'chunked'), still)
  const video = await publish.release(job({ kind: 'video' }, [B], 'chunked'), 'p1', still)
  expect([tus, inside, video]).toEqual(
    [[A], [B, A], [B]].map((mediaIds) => ({ is: 'digestDiffers', mediaIds })),
  )
})

test('a withdrawal is one call, done only when the reply names its post', async () => {
  const named = (id: string) => ({ status: 200, body: { data: { id } } })
  const { publish, server } = api([
    named('p1'),
    named('p2'),
    { status: 404, body: { error: { code: 'not_found' } } },
  ])
  expect(await publish.withdraw(job({}), 'p1', still)).toEqual({ is: 'ok', value: null })
  expect(await publish.withdraw(job({}), 'p1', still)).toEqual({ is: 'lost' })
  expect(await publish.withdraw(job({}), 'p1', still)).toEqual({ is: 'gone' })
  expect(server.requestLines()[0]).toMatch(/^POST \/api\/post\/|^DELETE /)
})
