// An identity check in the queue: its files, then one request, which takes effect once.
import { expect, test } from 'vitest'
import type { IdentityJob } from '#device/jobs/job-rows.ts'
import type { Media } from '#device/database/schema.ts'
import { createIdentityApi } from '#sw/queue/requests/identity.ts'
import { apply, canCancel, nextStep, type RequestEvent } from './request-with-files.ts'
import { newFile } from '#device/jobs/new-files.ts'
import { identityJob } from '#device/testing/jobs.ts'
import { createPace } from '#sw/queue/pace.ts'
import { scripted, stillClock, storeWith, type ScriptedReply } from '#sw/testing/scripted-server.ts'
import { createTusApi } from '#sw/queue/requests/tus.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const [JOB, KEY, PROMPTS, FRONT, LIVE, BACK] = [1, 2, 3, 4, 5, 6].map(
  (n) => `018f0000-0000-7000-8000-00000000000${n}`,
) as [string, string, string, string, string, string]
const DIGEST = `${'A'.repeat(43)}=`
const start = identityJob(
  [
    { id: LIVE, size: 9 },
    { id: FRONT, size: 5 },
  ],
  {
    id: JOB,
    ownerId: OWNER,
    key: KEY,
    form: { documentKind: 'passport', promptsId: PROMPTS, front: FRONT, back: null, live: LIVE },
  },
)
const after = (...events: RequestEvent[]): IdentityJob => events.reduce(apply, start)
const step = (job: IdentityJob) => nextStep(job, 0)
const whole: RequestEvent[] = [
  { type: 'accepted', fileId: LIVE, offset: 9 },
  { type: 'accepted', fileId: FRONT, offset: 5 },
]
const delivered: RequestEvent = { type: 'delivered', id: 'check-1', at: 7 }

test('the recording is sent first, then the other files, then the check, then the job finishes', () => {
  expect(step(start)).toEqual({ do: 'send', fileId: LIVE })
  expect(step(after(...whole.slice(0, 1)))).toEqual({ do: 'send', fileId: FRONT })
  expect(step(after(...whole))).toEqual({ do: 'submit' })
  expect(step(after(...whole, { type: 'requested' }))).toEqual({ do: 'submit' })
  expect(step(after(...whole, { type: 'requested' }, delivered))).toEqual({
    do: 'finish',
    id: 'check-1',
    at: 7,
  })
})

test('a request whose answer was lost is repeated, and the check cannot be cancelled meanwhile', () => {
  const requested = after(...whole, { type: 'requested' }, { type: 'lost', at: 0, jitter: 0 })
  expect(step(requested)).toEqual({ do: 'submit' })
  expect(canCancel(requested)).toBe(false)
  expect(apply(requested, { type: 'cancelled' })).toBe(requested)
})

test('a check cancelled before its request removes its bytes from the server and stays on the device', () => {
  const cancelled = after(...whole.slice(0, 1), { type: 'cancelled' })
  expect(step(cancelled)).toEqual({ do: 'discard', fileId: LIVE })
  expect(step(apply(cancelled, { type: 'discarded', fileId: LIVE }))).toEqual({ do: 'drop' })
})

test.each<RequestEvent>([
  { type: 'refused', code: 'forbidden' },
  { type: 'digestDiffered', fileIds: [LIVE] },
  { type: 'uploadsDenied' },
])('a late refusal does not end the removal of a cancelled check’s bytes: $type', (refusal) => {
  const cancelled = after(...whole, { type: 'cancelled' })
  expect(apply(cancelled, refusal)).toBe(cancelled)
})

test('bytes that the server finds different are sent again once, then the check fails', () => {
  const differ: RequestEvent = { type: 'digestDiffered', fileIds: [FRONT] }
  const again = after(...whole, { type: 'requested' }, differ)
  expect(step(again)).toEqual({ do: 'discard', fileId: FRONT })
  expect(apply(again, differ), 'reported twice').toEqual(again)
  const sent = [
    { type: 'discarded', fileId: FRONT },
    whole[1],
    { type: 'requested' },
    differ,
  ] as RequestEvent[]
  expect(sent.reduce(apply, again).stage).toEqual({ is: 'failed', code: 'digest_mismatch' })
})

test('a refusal fails the check with its code, and the check can be cancelled', () => {
  const refused = after(
    ...whole,
    { type: 'requested' },
    { type: 'refused', code: 'invalid', fields: { prompts_id: 'expired' } },
  )
  expect(refused.stage).toEqual({ is: 'failed', code: 'invalid', fields: { prompts_id: 'expired' } })
  expect(canCancel(refused)).toBe(true)
})

const job = start
const user = { id: OWNER, email: 'a@example.com', name: 'あおい', avatar_url: null, role: 'member' as const }
const queueStore = storeWith({
  session: async () => ({ token: 'secret', user }),
  refused: async () => undefined,
  digest: async (id) => (id === 'gone' ? undefined : DIGEST),
  media: async (id) => ({ id, name: '動作の録画', mime: 'video/webm', size: 9 }) as Media,
  chunk: async () => new Blob([new Uint8Array(9)]),
})
const still = new AbortController().signal

function submit(answers: (ScriptedReply | 'cut')[], it: IdentityJob = job) {
  const server = scripted(answers.map((answer) => () => answer))
  const api = createIdentityApi({
    fetch: server.fetch,
    clock: stillClock,
    store: queueStore,
    api: 'https://todoke.test/api',
  })
  return { server, end: api.submitCheck(it, still) }
}

test('the check names its uploads and their digests, under the job’s key', async () => {
  const { server, end } = submit([{ status: 200, body: { data: { id: 'check-1' } } }])
  expect(await end).toEqual({ is: 'ok', value: { id: 'check-1' } })
  expect(server.requestLines()).toEqual(['POST /api/identity/checks'])
  expect(server.heard[0]?.headers).toMatchObject({ 'Idempotency-Key': KEY, Authorization: 'Bearer secret' })
  expect(JSON.parse(String(server.heard[0]?.body))).toEqual({
    prompts_id: PROMPTS,
    document_kind: 'passport',
    front: { upload_id: FRONT, digest: DIGEST },
    live: { upload_id: LIVE, digest: DIGEST },
  })
})

test.each([
  ['cut', { is: 'lost' }],
  [{ status: 200, body: 'what' }, { is: 'lost' }],
  [{ status: 503 }, { is: 'lost' }],
  [{ status: 401 }, { is: 'signedOut', refused: true }],
  [
    { status: 409, body: { error: { code: 'conflict' } } },
    { is: 'refused', code: 'conflict' },
  ],
  [
    { status: 422, body: { error: { code: 'invalid', fields: { front: 'unknown_upload' } } } },
    { is: 'uploadsDenied' },
  ],
  [
    { status: 422, body: { error: { code: 'invalid', fields: { prompts_id: 'expired' } } } },
    { is: 'refused', code: 'invalid', fields: { prompts_id: 'expired' } },
  ],
] as const)('the answer %j means %j', async (answer, meaning) => {
  expect(await submit([answer]).end).toEqual(meaning)
})

test('an upload is named by the last part of its address, and the back of a document is included', async () => {
  const { server, end } = submit([{ status: 200, body: { data: { id: 'check-1' } } }], {
    ...job,
    form: { ...job.form, back: BACK },
    files: [
      { ...newFile({ id: LIVE, size: 9 }), state: { is: 'sent', url: null } },
      { ...newFile({ id: FRONT, size: 5 }), state: { is: 'sent', url: 'https://files.example/u/4711' } },
      { ...newFile({ id: BACK, size: 5 }), state: { is: 'sent', url: 'https://files.example/u/4712' } },
    ],
  })
  await end
  expect(JSON.parse(String(server.heard[0]?.body))).toMatchObject({
    front: { upload_id: '4711', digest: DIGEST },
    back: { upload_id: '4712', digest: DIGEST },
    live: { upload_id: LIVE, digest: DIGEST },
  })
})

test('an error of the device’s database is passed on and does not end the check', async () => {
  const broken = new DOMException('no database', 'InvalidStateError')
  const store = { ...storeWith({}), digest: () => Promise.reject(broken) }
  const api = createIdentityApi({
    fetch: scripted([]).fetch,
    clock: stillClock,
    store,
    api: 'https://todoke.test/api',
  })
  await expect(api.submitCheck(job, still)).rejects.toBe(broken)
})

test('a check without its bytes on the device sends no request', async () => {
  const { server, end } = submit([], { ...job, form: { ...job.form, front: 'gone' } })
  expect(await end).toEqual({ is: 'refused', code: 'bytes_missing' })
  expect(server.heard).toEqual([])
})

test('the uploads of a check name their purpose', async () => {
  const server = scripted([
    () => ({ status: 201, headers: { Location: `/upload-chunking-2/${LIVE}` } }),
    () => ({ status: 204, headers: { 'Upload-Offset': '9' } }),
  ])
  const tus = createTusApi({
    fetch: server.fetch,
    clock: stillClock,
    pace: createPace(),
    endpoint: 'https://todoke.test/upload-chunking-2',
    store: queueStore,
  })
  expect(await tus.send(job, LIVE, async () => undefined, still)).toEqual({ is: 'ok', value: null })
  expect(server.heard[0]?.headers['Upload-Metadata']).toContain(`purpose ${btoa('identity')}`)
})
