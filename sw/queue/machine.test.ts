// The queue's machine, statement by statement (specification sections 4, 7, 9).
import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { newFacts } from '#device/jobs/facts.ts'
import { type JobFacts, jobFacts } from '#device/database/schema.ts'
import { apply, canCancel, type QueueEvent } from './machine.ts'
import { nextStep, type Step } from './next-step.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const NOW = Date.parse('2026-03-05T03:30:00Z')

function job(...media: [id: string, size: number][]): JobFacts {
  return newFacts(
    media.map(([id, size]) => ({ id, size, kind: 'image' })),
    'tus',
  )
}

/** Tells the events in order; the facts after the last. */
function after(facts: JobFacts, ...events: QueueEvent[]): JobFacts {
  return events.reduce(apply, facts)
}
const sent = (id: string, size: number): QueueEvent => ({ type: 'accepted', mediaId: id, offset: size })
const added: QueueEvent = { type: 'postAdded', postId: 'p1', videoId: null }
const lost = (retryAfter?: number): QueueEvent => ({
  type: 'lost',
  at: NOW,
  jitter: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
})

test('every media is sent in its order, then the post is added, then released, then forgotten', () => {
  const steps: Step[] = []
  let facts = job([A, 10], [B, 20])
  const events: QueueEvent[] = [sent(A, 10), sent(B, 20), added, { type: 'released', at: NOW }]
  for (const event of events) {
    steps.push(nextStep(facts, NOW))
    facts = apply(facts, event)
  }
  steps.push(nextStep(facts, NOW))
  expect(steps).toEqual([
    { do: 'send', mediaId: A },
    { do: 'send', mediaId: B },
    { do: 'addPost' },
    { do: 'release', postId: 'p1' },
    { do: 'finish', postId: 'p1', at: NOW },
  ])
})

test('a text alone goes straight to the post', () => {
  expect(nextStep(job(), NOW)).toEqual({ do: 'addPost' })
})

test('the server’s offset is believed even when it goes down', () => {
  const facts = after(job([A, 10]), sent(A, 8), sent(A, 3))
  expect(facts.media[0]).toMatchObject({ acked: 3, begun: true, done: false })
})

test('a file is done with its last byte, not before', () => {
  const facts = after(job([A, 10]), sent(A, 9))
  expect(facts.media[0]?.done).toBe(false)
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
  expect(nextStep(after(facts, sent(A, 10)), NOW)).toEqual({ do: 'addPost' })
})

test('waits are 0, 1, 3 and 5 seconds, then grow with jitter to five minutes', () => {
  let facts = job([A, 10])
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    facts = apply(facts, lost())
    waits.push(facts.wait.until - NOW)
  }
  expect(waits.slice(0, 4)).toEqual([0, 1000, 3000, 5000])
  expect(waits.slice(4)).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
  const early = apply({ ...facts, attempts: 4 }, { type: 'lost', at: NOW, jitter: 0 })
  expect(early.wait.until - NOW).toBe(5000)
})

test('progress begins the waits anew', () => {
  const facts = after(job([A, 10]), lost(), lost(), lost(), sent(A, 4))
  expect(facts).toMatchObject({ attempts: 0, wait: { until: 0 } })
})

test('a network that is back ends our own wait but not one the server asked for', () => {
  const own = after(job([A, 10]), lost(), lost(), { type: 'nudged' })
  expect(nextStep(own, NOW)).toEqual({ do: 'send', mediaId: A })
  const told = after(job([A, 10]), lost(7000), { type: 'nudged' })
  expect(nextStep(told, NOW)).toEqual({ do: 'wait', for: 'time', until: NOW + 7000 })
})

test('an upload the server lost is sent again three times, then the job fails with the reason', () => {
  let facts = job([A, 10])
  for (let i = 0; i < 3; i++) {
    facts = after(facts, sent(A, 5), { type: 'gone', mediaId: A })
    expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
    expect(facts.media[0]).toMatchObject({ acked: 0, begun: false })
  }
  facts = after(facts, sent(A, 5), { type: 'gone', mediaId: A })
  expect(facts.ending).toEqual({ is: 'failed', code: 'gone' })
})

test('bytes that differ are removed and sent again once, then the job fails', () => {
  let facts = after(
    job([A, 10]),
    sent(A, 10),
    { type: 'addTried' },
    { type: 'digestDiffered', mediaIds: [A] },
  )
  expect(nextStep(facts, NOW)).toEqual({ do: 'discard', mediaId: A })
  facts = apply(facts, { type: 'discarded', mediaId: A })
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
  facts = after(facts, sent(A, 10), { type: 'digestDiffered', mediaIds: [A] })
  expect(facts.ending).toEqual({ is: 'failed', code: 'digest_mismatch' })
})

test('a paused file waits for the person while the others go on', () => {
  const facts = after(job([A, 10], [B, 20]), { type: 'paused', mediaId: A })
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: B })
  const both = apply(facts, sent(B, 20))
  expect(nextStep(both, NOW)).toEqual({ do: 'wait', for: 'person' })
  expect(nextStep(apply(both, { type: 'resumed' }), NOW)).toEqual({ do: 'send', mediaId: A })
})

test('a cancelled job removes what the server has and is dropped', () => {
  let facts = after(job([A, 10], [B, 20]), sent(A, 5), { type: 'cancelled' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'discard', mediaId: A })
  facts = apply(facts, { type: 'discarded', mediaId: A })
  expect(nextStep(facts, NOW)).toEqual({ do: 'drop' })
})

test('a cancel that cannot reach the server is carried out all the same', () => {
  const losses = Array.from({ length: 5 }, () => lost())
  const facts = after(job([A, 10]), sent(A, 5), { type: 'cancelled' }, ...losses)
  expect(nextStep(facts, NOW)).toEqual({ do: 'drop' })
})

test('while the post is being asked for, the job can’t be cancelled', () => {
  const facts = after(job(), { type: 'addTried' })
  expect(canCancel(facts)).toBe(false)
  expect(apply(facts, { type: 'cancelled' })).toBe(facts)
})

test('a refusal fails the job with its code and fields, and the draft can be changed again', () => {
  const facts = after(
    job(),
    { type: 'addTried' },
    { type: 'refused', code: 'invalid', fields: { price: 'too_small' } },
  )
  expect(facts.ending).toEqual({ is: 'failed', code: 'invalid', fields: { price: 'too_small' } })
  expect(nextStep(facts, NOW)).toEqual({ do: 'wait', for: 'person' })
  expect(canCancel(facts)).toBe(true)
})

test('a retry asks the server for every offset before the post is added', () => {
  const facts = after(job([A, 10]), sent(A, 10), { type: 'refused', code: 'forbidden' }, { type: 'retried' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
})

test('uploads the server denies are asked for again, but not for ever', () => {
  let facts = job([A, 10])
  for (let i = 0; i < 3; i++) {
    facts = after(facts, sent(A, 10), { type: 'uploadsDenied' })
    expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
  }
  expect(after(facts, sent(A, 10), { type: 'uploadsDenied' }).ending).toEqual({
    is: 'failed',
    code: 'upload_incomplete',
  })
})

const late: QueueEvent[] = [
  { type: 'created', mediaId: A, url: 'https://todoke.test/x' },
  sent(A, 3),
  { type: 'gone', mediaId: A },
  { type: 'digestDiffered', mediaIds: [A] },
  { type: 'uploadsDenied' },
  { type: 'postAdded', postId: 'p2', videoId: null },
  { type: 'discarded', mediaId: A },
  { type: 'fileCancelled', mediaId: A },
  { type: 'withdrawn' },
  { type: 'withdrawDenied', at: NOW },
]
test.each(late)('a late event changes nothing once the post is added: $type', (event) => {
  const facts = after(job([A, 10]), sent(A, 10), added)
  expect(apply(facts, event)).toBe(facts)
})

test.each([
  ...late,
  { type: 'released', at: 1 },
  { type: 'refused', code: 'gone' },
  lost(),
] satisfies QueueEvent[])('a late event changes nothing once the post is released: $type', (event) => {
  const facts = after(job([A, 10]), sent(A, 10), added, { type: 'released', at: NOW })
  expect(apply(facts, event)).toBe(facts)
})

const anyEvent: fc.Arbitrary<QueueEvent> = fc.oneof(
  fc.record({ type: fc.constant('accepted' as const), mediaId: fc.constantFrom(A, B), offset: fc.nat(30) }),
  fc.record({ type: fc.constantFrom('gone' as const, 'discarded' as const), mediaId: fc.constantFrom(A, B) }),
  fc.record({ type: fc.constant('digestDiffered' as const), mediaIds: fc.subarray([A, B]) }),
  fc.constantFrom<QueueEvent>(
    { type: 'addTried' },
    added,
    { type: 'released', at: NOW },
    { type: 'uploadsDenied' },
    lost(),
    lost(5000),
    { type: 'refused', code: 'forbidden' },
    { type: 'nudged' },
    { type: 'paused', mediaId: A },
    { type: 'resumed' },
    { type: 'refused', mediaId: B, code: 'unsupported_media' },
    { type: 'retried' },
    { type: 'retried', mediaId: B },
    { type: 'fileCancelled', mediaId: A },
    { type: 'fileCancelled', mediaId: B },
    { type: 'cancelled' },
    { type: 'cancelled', keep: true },
    { type: 'withdrawn' },
    { type: 'withdrawDenied', at: NOW },
  ),
)

test('whatever happens in whatever order: no release without a post, no post with unsent bytes, no way back from the end', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let facts = job([A, 10], [B, 20])
      for (const event of events) {
        const before = facts
        facts = apply(facts, event)
        const step = nextStep(facts, NOW)
        for (const it of facts.media) expect(it.acked).toBeLessThanOrEqual(it.size)
        if (step.do === 'addPost') expect(facts.media.every((it) => it.done && !it.failed)).toBe(true)
        if (step.do === 'finish') expect(facts.post?.id).toBe('p1')
        if (step.do === 'drop') expect(facts.post).toBeNull()
        if (before.post && before.ending.is !== 'cancelled') expect(facts.post).toEqual(before.post)
        if (step.do === 'withdraw') expect(facts.ending.is).toBe('cancelled')
        if (before.ending.is === 'released') expect(facts).toBe(before)
        if (before.ending.is === 'cancelled') expect(facts.ending.is).toMatch(/cancelled|released/)
        if (facts.ending.is === 'released') expect(facts.post?.id).toBe('p1')
      }
    }),
    { numRuns: 2000 },
  )
})

test('a server without room is waited for: not sooner than it said, ever longer, and no press cuts it short', () => {
  const full = (retryAfter?: number): QueueEvent => ({
    ...lost(retryAfter),
    type: 'lost',
    at: NOW,
    jitter: 1,
    why: 'storage_full',
  })
  const first = after(job([A, 10]), full(15_000))
  expect(first.wait).toEqual({ until: NOW + 15_000, told: true, why: 'storage_full' })
  expect([first.ending.is, nextStep(first, NOW).do]).toEqual(['open', 'wait'])
  expect(apply(first, { type: 'nudged' })).toBe(first)
  const later = after(job([A, 10]), ...Array.from({ length: 7 }, () => full(15_000)))
  expect(later.wait.until).toBe(NOW + 40_000)
  expect(after(first, sent(A, 4)).wait).toEqual({ until: 0, told: false })
  expect(after(first, { type: 'created', mediaId: A, url: 'https://x/1' }).wait.why).toBeUndefined()
  // The answer of a proxy that says no time.
  expect(after(job([A, 10]), full()).wait).toEqual({ until: NOW, told: false, why: 'storage_full' })
})

test('a post that the server no longer has: each upload is asked for, then the post is added again', () => {
  const before = after(job([A, 10]), sent(A, 10), { type: 'addTried' }, added, { type: 'postGone' })
  expect(before).toMatchObject({ post: null, addTried: false, ending: { is: 'open' } })
  expect(nextStep(before, NOW)).toEqual({ do: 'send', mediaId: A })
  // The uploads may have gone with it.
  const lostBytes = apply(before, { type: 'gone', mediaId: A })
  expect(lostBytes.media[0]).toMatchObject({ acked: 0, begun: false })
  const again = after(before, sent(A, 10))
  expect(nextStep(again, NOW)).toEqual({ do: 'addPost' })
  expect(apply(before, { type: 'postGone' }), 'told twice').toBe(before)
})

test('it is added again twice; a retry by the person begins the count anew', () => {
  const round = (facts: JobFacts) => after(facts, added, { type: 'postGone' })
  const failed = round(round(round(job())))
  expect(failed.ending).toEqual({ is: 'failed', code: 'not_found' })
  const retried = apply(failed, { type: 'retried' })
  expect(nextStep(retried, NOW)).toEqual({ do: 'release', postId: 'p1' })
  expect(nextStep(apply(retried, { type: 'postGone' }), NOW)).toEqual({ do: 'addPost' })
})

test('by the legacy protocol the post is added again first, then its chunks are sent from the first on', () => {
  const facts = newFacts([{ id: A, size: 10, kind: 'video' }], 'chunked')
  const gone = after(facts, added, sent(A, 10), { type: 'postGone' })
  expect(nextStep(gone, NOW)).toEqual({ do: 'addPost' })
  const again = apply(gone, { type: 'postAdded', postId: 'p2', videoId: 'v2' })
  expect([nextStep(again, NOW), again.media[0]?.acked]).toEqual([{ do: 'send', mediaId: A }, 0])
})

const strange: QueueEvent = { type: 'lost', at: NOW, jitter: 1, why: 'foreign' }

test('an answer of another server is noted beside the usual waits, and goes with the next progress', () => {
  const facts = after(job([A, 10]), strange, strange)
  expect(facts.wait).toEqual({ until: NOW + 1000, told: false, foreign: true })
  expect(after(facts, sent(A, 4)).wait).toEqual({ until: 0, told: false })
})

test('the person can end every wait, also one that the server asked for', () => {
  const told = after(job([A, 10]), lost(60_000))
  expect(apply(told, { type: 'nudged' })).toBe(told)
  expect(nextStep(apply(told, { type: 'hurried' }), NOW)).toEqual({ do: 'send', mediaId: A })
  expect(apply(job([A, 10]), { type: 'hurried' }).wait.until).toBe(0)
})

test('a wait longer than any is meant to be was noted by an older build, and is passed over', () => {
  const day = { ...job([A, 10]), wait: { until: NOW + 86_400_000, told: true } }
  expect(nextStep(day, NOW)).toEqual({ do: 'send', mediaId: A })
})

test('after a refused token the next sign-in goes on at once, however long the job waited before', () => {
  const refused: QueueEvent = { type: 'tokenRefused', at: NOW, jitter: 1 }
  const facts = after(job([A, 10]), ...Array.from({ length: 8 }, () => lost()), refused)
  expect(facts.wait.until).toBe(NOW)
  expect(after(facts, refused, refused).wait.until).toBe(NOW + 3000)
})

test('rows of older builds and of newer ones are read', () => {
  const row = JSON.parse(JSON.stringify(job([A, 10])))
  expect(v.is(jobFacts, { ...row, wait: { until: 1, told: true, why: 'storage_full' } })).toBe(true)
  // What an older build knows of a wait is all that it needs.
  const { wait } = after(job([A, 10]), strange)
  const older = v.object({
    until: v.number(),
    told: v.boolean(),
    why: v.optional(v.picklist(['storage_full'])),
  })
  expect(v.parse(older, wait)).toEqual({ until: NOW, told: false })
  expect(
    v.parse(jobFacts, { ...row, wait: { until: 1, told: false, why: 'of a newer build' } }).wait.why,
  ).toBeUndefined()
})
