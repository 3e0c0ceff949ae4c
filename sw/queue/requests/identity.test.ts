// An identity check in the queue: its files first, then one request, exactly once however often its answer is lost.
import { expect, test } from 'vitest'
import { checkFacts } from '#device/jobs/facts.ts'
import type { IdentityJob, JobFacts, Media } from '#device/database/schema.ts'
import { makeIdentity } from './identity.ts'
import { apply, canCancel, type QueueEvent } from '#sw/queue/machine.ts'
import { nextStep } from '#sw/queue/next-step.ts'
import { makePace } from '#sw/queue/pace.ts'
import { scripted, stillClock, storeWith, type Answered } from '#sw/testing/transcript.ts'
import { makeTus } from './tus.ts'

const OWNER = '018f0000-0000-7000-8000-0000000000aa'
const [JOB, KEY, PROMPTS, FRONT, LIVE] = [1, 2, 3, 4, 5].map(
  (n) => `018f0000-0000-7000-8000-00000000000${n}`,
) as [string, string, string, string, string]
const DIGEST = `${'A'.repeat(43)}=`
const start = checkFacts([
  { id: LIVE, size: 9, kind: 'video' },
  { id: FRONT, size: 5, kind: 'image' },
])
const after = (...events: QueueEvent[]): JobFacts => events.reduce(apply, start)
const step = (facts: JobFacts) => nextStep(facts, 0)
const whole: QueueEvent[] = [
  { type: 'accepted', mediaId: LIVE, offset: 9 },
  { type: 'accepted', mediaId: FRONT, offset: 5 },
]
const told: QueueEvent = { type: 'delivered', id: 'check-1', at: 7 }

test('every file, the recording first, then the check, then it is over', () => {
  expect(step(start)).toEqual({ do: 'send', mediaId: LIVE })
  expect(step(after(...whole.slice(0, 1)))).toEqual({ do: 'send', mediaId: FRONT })
  expect(step(after(...whole))).toEqual({ do: 'deliver' })
  expect(step(after(...whole, { type: 'addTried' }))).toEqual({ do: 'deliver' })
  expect(step(after(...whole, { type: 'addTried' }, told))).toEqual({ do: 'settle', id: 'check-1', at: 7 })
})

test('it is never added or released as a post, whatever comes late', () => {
  const late: QueueEvent[] = [
    { type: 'released', at: 1 },
    { type: 'withdrawn' },
    { type: 'withdrawDenied', at: 1 },
  ]
  expect(after(...whole, ...late)).toEqual(after(...whole))
})

test('an answer that was lost is asked for again; meanwhile nobody takes the check back', () => {
  const asking = after(...whole, { type: 'addTried' }, { type: 'lost', at: 0, jitter: 0 })
  expect(step(asking)).toEqual({ do: 'deliver' })
  expect(canCancel(asking)).toBe(false)
  expect(apply(asking, { type: 'cancelled' })).toBe(asking)
})

test('cancelled before that, its bytes leave the server and the device keeps the pictures', () => {
  const facts = after(...whole.slice(0, 1), { type: 'cancelled' })
  expect(step(facts)).toEqual({ do: 'discard', mediaId: LIVE })
  expect(step(apply(facts, { type: 'discarded', mediaId: LIVE }))).toEqual({ do: 'drop' })
})

test('bytes that the server finds different are sent again once, then it fails', () => {
  const differ: QueueEvent = { type: 'digestDiffered', mediaIds: [FRONT] }
  const again = after(...whole, { type: 'addTried' }, differ)
  expect(step(again)).toEqual({ do: 'discard', mediaId: FRONT })
  expect(apply(again, differ), 'told twice').toEqual(again)
  const sent = [{ type: 'discarded', mediaId: FRONT }, whole[1], { type: 'addTried' }, differ] as QueueEvent[]
  expect(sent.reduce(apply, again).ending).toEqual({ is: 'failed', code: 'digest_mismatch' })
})

test('a refusal ends it with its reason, and it can be taken back', () => {
  const refused = after(
    ...whole,
    { type: 'addTried' },
    { type: 'refused', code: 'invalid', fields: { prompts_id: 'expired' } },
  )
  expect(refused.ending).toEqual({ is: 'failed', code: 'invalid', fields: { prompts_id: 'expired' } })
  expect(canCancel(refused)).toBe(true)
})

const job: IdentityJob = {
  kind: 'identity',
  id: JOB,
  ownerId: OWNER,
  key: KEY,
  protocol: 'tus',
  form: { documentKind: 'passport', promptsId: PROMPTS, front: FRONT, back: null, live: LIVE },
  facts: start,
  createdAt: 0,
}
const user = { id: OWNER, email: 'a@example.com', name: 'あおい', avatar_url: null, role: 'member' as const }
const store = storeWith({
  session: async () => ({ token: 'secret', user }),
  refused: async () => undefined,
  digest: async (id) => (id === 'gone' ? undefined : DIGEST),
  media: async (id) => ({ id, name: '動作の録画', mime: 'video/webm', size: 9 }) as Media,
  chunk: async () => new Blob([new Uint8Array(9)]),
})
const still = new AbortController().signal

function submit(answers: (Answered | 'cut')[], it: IdentityJob = job) {
  const line = scripted(answers.map((answer) => () => answer))
  const api = makeIdentity({ fetch: line.fetch, clock: stillClock, store, api: 'https://todoke.test/api' })
  return { line, end: api.submitCheck(it, still) }
}

test('the check names its uploads and their digests, under the job’s key', async () => {
  const { line, end } = submit([{ status: 200, body: { data: { id: 'check-1' } } }])
  expect(await end).toEqual({ is: 'ok', value: { id: 'check-1' } })
  expect(line.lines()).toEqual(['POST /api/identity/checks'])
  expect(line.heard[0]?.headers).toMatchObject({ 'Idempotency-Key': KEY, Authorization: 'Bearer secret' })
  expect(JSON.parse(String(line.heard[0]?.body))).toEqual({
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

test('without its bytes on the device nothing is asked', async () => {
  const { line, end } = submit([], { ...job, form: { ...job.form, front: 'gone' } })
  expect(await end).toEqual({ is: 'refused', code: 'bytes_missing' })
  expect(line.heard).toEqual([])
})

test('its uploads say what they are for', async () => {
  const line = scripted([
    () => ({ status: 404 }),
    () => ({ status: 201, headers: { Location: `/upload-chunking-2/${LIVE}` } }),
    () => ({ status: 204, headers: { 'Upload-Offset': '9' } }),
  ])
  const tus = makeTus({
    fetch: line.fetch,
    clock: stillClock,
    pace: makePace(),
    endpoint: 'https://todoke.test/upload-chunking-2',
    store,
  })
  expect(await tus.send(job, LIVE, async () => undefined, still)).toEqual({ is: 'ok', value: null })
  expect(line.heard[1]?.headers['Upload-Metadata']).toContain(`purpose ${btoa('identity')}`)
})
