// Adding and releasing a post, as transcripts (specification sections 7 and 8).
import { expect, test } from 'vitest'
import { defaultBlurredImage } from '#contract/posts/blurred-image.ts'
import type { PostJob } from '#device/jobs/job-rows.ts'
import type { JobFile } from '#device/jobs/file-row.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/after.ts'
import type { Media } from '#device/database/schema.ts'
import type { QueueStore } from '#sw/queue/ports.ts'
import { createPostApi } from './publish.ts'
import { scripted, stillClock, storeWith, type ScriptedReply } from '#sw/testing/transcript.ts'

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
  digest: QueueStore['digest'] = async () => DIGEST,
) {
  const refused: string[] = []
  const line = scripted(answers.map((answer) => () => answer))
  const user = {
    id: person,
    email: 'a@example.com',
    name: 'あおい',
    role: 'member',
    avatar_url: null,
  } as const
  const row = (id: string) =>
    ({ id, name: 'a.jpg', mime: 'image/jpeg', size: 2, alt: alts[id] ?? '' }) as Media
  const store = storeWith({
    session: async () => ({ token: 'secret', user }),
    refused: async (token) => void refused.push(token),
    digest,
    media: async (id) => row(id),
    range: async () => new Blob(['xy']),
  })
  const publish = createPostApi({
    fetch: line.fetch,
    clock: stillClock,
    store,
    api: 'https://todoke.test/api',
  })
  return { publish, line, refused }
}

const still = new AbortController().signal
const fieldsOf = (form: unknown) =>
  [...(form as FormData)].map(([key, value]) => [key, value instanceof File ? value.name : value])

test('a text post carries its key, its owner’s token and nothing it does not need', async () => {
  const { publish, line } = api([added])
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'ok', value: { postId: 'p1', videoId: 'v1' } })
  const [request] = line.heard
  expect(request?.path).toBe('/api/post/add')
  expect(request?.headers).toMatchObject({ 'Idempotency-Key': JOB, Authorization: 'Bearer secret' })
  expect(request?.cache, 'a stored answer is no answer of the server').toBe('no-store')
  expect(fieldsOf(request?.body)).toEqual([
    ['content', '本文'],
    ['type', '1'],
    ['is_age_limited', '0'],
  ])
})

test('pictures go by their upload ids in their order, each with its digest', async () => {
  const { publish, line } = api([added])
  await publish.addPost(job({ kind: 'images', isAgeLimited: true, type: 2, planIds: [THUMB] }, [B, A]), still)
  expect(fieldsOf(line.heard[0]?.body)).toEqual([
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

test('a post without the digest of one of its files is not asked for', async () => {
  const { publish, line } = api([added], OWNER, {}, async (id) => (id === B ? undefined : DIGEST))
  const end = await publish.addPost(job({ kind: 'images' }, [A, B]), still)
  expect([end, line.heard]).toEqual([{ is: 'refused', code: 'bytes_missing' }, []])
})

test('a file that was taken out is not named', async () => {
  const { publish, line } = api([added])
  const it = job({ kind: 'images' }, [A, B])
  await publish.addPost(
    jobAfter({ ...it, stage: { is: 'open' } }, { type: 'fileCancelled', fileId: A }),
    still,
  )
  expect(line.form(0).getAll('has_image_file[]')).toEqual([B])
})

test.each([
  [1, false],
  [2, true],
  [3, true],
] as const)('a post of type %i carries the default blurred picture: %s', async (type, carried) => {
  const { publish, line } = api([added])
  await publish.addPost(job({ type, price: '500' }), still)
  const blurred = line.form(0).get('blurred_image_file')
  if (!carried) return expect(blurred).toBeNull()
  expect(blurred).toBeInstanceOf(File)
  const bytes = new Uint8Array(await (blurred as File).arrayBuffer())
  expect([(blurred as File).type, bytes]).toEqual(['image/png', defaultBlurredImage()])
})

test('what was said of pictures goes in their order, by both protocols', async () => {
  for (const protocol of ['tus', 'chunked'] as const) {
    const { publish, line } = api([added], OWNER, { [A]: '朝の海' })
    await publish.addPost(job({ kind: 'images' }, [B, A], protocol), still)
    expect(line.form(0).getAll('image_alt[]')).toEqual(['', '朝の海'])
    expect(line.form(0).has('image_file[]')).toBe(protocol === 'chunked')
  }
})

test('a priced video goes with its whole seconds, its frame, its thumbnail and the yen alone', async () => {
  const { publish, line } = api([added])
  const form = {
    kind: 'video',
    type: 3,
    price: '１,０００円',
    duration: 61,
    thumbnailId: THUMB,
    frameId: THUMB,
  } as const
  await publish.addPost(job(form, [A]), still)
  expect(fieldsOf(line.heard[0]?.body)).toEqual([
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
  const { publish, line } = api([added])
  const it = job({ kind: 'video' }, [A])
  const files = it.files.map((file): JobFile => {
    return { ...file, state: { is: 'sent', url: 'https://files.example/u/4711' } }
  })
  await publish.addPost({ ...it, files }, still)
  expect(line.form(0).get('has_video_file')).toBe('4711')
})

test.each([
  [
    'a single entry',
    { data: { item: { id: 7, video_id: null } } },
    { is: 'ok', value: { postId: '7', videoId: null } },
  ],
])('add answers with %s', async (_name, body, end) => {
  const { publish } = api([{ status: 200, body }])
  expect(await publish.addPost(job({}), still)).toEqual(end)
})

test('a release is one call without a body, answered by the name of its post', async () => {
  const { publish, line } = api([{ status: 200, body: { data: { id: 'p 1' } } }])
  expect(await publish.release(job({}), 'p 1', still)).toEqual({ is: 'ok', value: null })
  expect(line.heard[0]).toMatchObject({ method: 'POST', path: '/api/post/release-uploaded/p%201' })
  expect(line.heard[0]?.body).toBeUndefined()
})

test('a refused token is forgotten and the job waits for its person', async () => {
  const { publish, refused } = api([{ status: 401, body: { error: { code: 'unauthenticated' } } }])
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'signedOut', refused: true })
  expect(refused).toEqual(['secret'])
})

test('nothing is sent while somebody else is signed in', async () => {
  const { publish, line } = api([], A)
  expect(await publish.addPost(job({}), still)).toEqual({ is: 'signedOut' })
  expect(line.heard).toEqual([])
})
