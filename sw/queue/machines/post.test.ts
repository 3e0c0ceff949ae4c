// The machine of a post, statement by statement (specification sections 4, 7, 9).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ackedOf } from '#device/jobs/file-row.ts'
import { addedPostOf, type PostJob } from '#device/jobs/job-rows.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { A, B, NOW, added, lost, post, sent } from '#sw/testing/post-events.ts'
import { apply, canCancel, nextStep, type PostEvent, type PostStep } from './post.ts'

test('every media is sent in its order, then the post is added, then released, then deleted', () => {
  const steps: PostStep[] = []
  let job = post([A, 10], [B, 20])
  const events: PostEvent[] = [sent(A, 10), sent(B, 20), added, { type: 'released', at: NOW }]
  for (const event of events) {
    steps.push(nextStep(job, NOW))
    job = apply(job, event)
  }
  steps.push(nextStep(job, NOW))
  expect(steps).toEqual([
    { do: 'send', fileId: A },
    { do: 'send', fileId: B },
    { do: 'addPost' },
    { do: 'release', postId: 'p1' },
    { do: 'finish', postId: 'p1', at: NOW },
  ])
})

test('a post of text alone is added at once', () => {
  expect(nextStep(post(), NOW)).toEqual({ do: 'addPost' })
})

test('the server’s offset is used even when it is lower than before', () => {
  const job = jobAfter(post([A, 10]), sent(A, 8), sent(A, 3))
  expect(job.files[0]?.state).toEqual({ is: 'sending', upload: { acked: 3, url: null } })
})

test('a file is sent with its last byte, not before', () => {
  const job = jobAfter(post([A, 10]), sent(A, 9))
  expect(job.files[0]?.state.is).toBe('sending')
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
  expect(nextStep(jobAfter(job, sent(A, 10)), NOW)).toEqual({ do: 'addPost' })
})

test('an upload that the server lost is sent again three times, then the job fails with the code', () => {
  let job = post([A, 10])
  for (let i = 0; i < 3; i++) {
    job = jobAfter(job, sent(A, 5), { type: 'gone', fileId: A })
    expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
    expect(job.files[0]?.state).toEqual({ is: 'waiting' })
  }
  job = jobAfter(job, sent(A, 5), { type: 'gone', fileId: A })
  expect(job.stage).toEqual({ is: 'failed', code: 'gone', post: null })
})

test('bytes that differ are removed and sent again once, then the job fails', () => {
  let job = jobAfter(
    post([A, 10]),
    sent(A, 10),
    { type: 'requested' },
    { type: 'digestDiffered', fileIds: [A] },
  )
  expect(nextStep(job, NOW)).toEqual({ do: 'discard', fileId: A })
  job = apply(job, { type: 'discarded', fileId: A })
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
  job = jobAfter(job, sent(A, 10), { type: 'digestDiffered', fileIds: [A] })
  expect(job.stage).toEqual({ is: 'failed', code: 'digest_mismatch', post: null })
})

test('a paused file waits for the person while the others continue', () => {
  const job = jobAfter(post([A, 10], [B, 20]), { type: 'paused', fileId: A })
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: B })
  const both = apply(job, sent(B, 20))
  expect(nextStep(both, NOW)).toEqual({ do: 'wait', for: 'person' })
  expect(nextStep(apply(both, { type: 'resumed' }), NOW)).toEqual({ do: 'send', fileId: A })
})

test('a cancelled job removes what the server has and is dropped', () => {
  let job = jobAfter(post([A, 10], [B, 20]), sent(A, 5), { type: 'cancelled' })
  expect(nextStep(job, NOW)).toEqual({ do: 'discard', fileId: A })
  job = apply(job, { type: 'discarded', fileId: A })
  expect(nextStep(job, NOW)).toEqual({ do: 'drop' })
})

test('a cancel that cannot reach the server is still carried out', () => {
  const losses = Array.from({ length: 5 }, () => lost())
  const job = jobAfter(post([A, 10]), sent(A, 5), { type: 'cancelled' }, ...losses)
  expect(nextStep(job, NOW)).toEqual({ do: 'drop' })
})

test('the job can’t be cancelled while the post is requested', () => {
  const job = jobAfter(post(), { type: 'requested' })
  expect(canCancel(job)).toBe(false)
  expect(apply(job, { type: 'cancelled' })).toBe(job)
})

test('a refusal fails the job with its code and fields, and the draft can be changed again', () => {
  const job = jobAfter(
    post(),
    { type: 'requested' },
    { type: 'refused', code: 'invalid', fields: { price: 'too_small' } },
  )
  expect(job.stage).toEqual({ is: 'failed', code: 'invalid', fields: { price: 'too_small' }, post: null })
  expect(nextStep(job, NOW)).toEqual({ do: 'wait', for: 'person' })
  expect(canCancel(job)).toBe(true)
})

test('a retry requests every offset from the server before the post is added', () => {
  const job = jobAfter(
    post([A, 10]),
    sent(A, 10),
    { type: 'refused', code: 'forbidden' },
    { type: 'retried' },
  )
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
})

test('the offsets of uploads that the server denies are requested again, a limited number of times', () => {
  let job = post([A, 10])
  for (let i = 0; i < 3; i++) {
    job = jobAfter(job, sent(A, 10), { type: 'uploadsDenied' })
    expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
  }
  expect(jobAfter(job, sent(A, 10), { type: 'uploadsDenied' }).stage).toEqual({
    is: 'failed',
    code: 'upload_incomplete',
    post: null,
  })
})

const late: PostEvent[] = [
  { type: 'created', fileId: A, url: 'https://todoke.test/x' },
  sent(A, 3),
  { type: 'gone', fileId: A },
  { type: 'digestDiffered', fileIds: [A] },
  { type: 'uploadsDenied' },
  { type: 'postAdded', postId: 'p2', videoId: null },
  { type: 'discarded', fileId: A },
  { type: 'fileCancelled', fileId: A },
  { type: 'withdrawn' },
  { type: 'withdrawDenied', at: NOW },
  { type: 'withdrawRefused' },
]
test.each(late)('a late event changes nothing once the post is added: $type', (event) => {
  const job = jobAfter(post([A, 10]), sent(A, 10), added)
  expect(apply(job, event)).toBe(job)
})

test.each([
  ...late,
  { type: 'released', at: 1 },
  { type: 'refused', code: 'gone' },
  lost(),
] satisfies PostEvent[])('a late event changes nothing once the post is released: $type', (event) => {
  const job = jobAfter(post([A, 10]), sent(A, 10), added, { type: 'released', at: NOW })
  expect(apply(job, event)).toBe(job)
})

const anyEvent: fc.Arbitrary<PostEvent> = fc.oneof(
  fc.record({ type: fc.constant('accepted' as const), fileId: fc.constantFrom(A, B), offset: fc.nat(30) }),
  fc.record({ type: fc.constantFrom('gone' as const, 'discarded' as const), fileId: fc.constantFrom(A, B) }),
  fc.record({ type: fc.constant('digestDiffered' as const), fileIds: fc.subarray([A, B]) }),
  fc.constantFrom<PostEvent>(
    { type: 'requested' },
    added,
    { type: 'released', at: NOW },
    { type: 'uploadsDenied' },
    lost(),
    lost(5000),
    { type: 'refused', code: 'forbidden' },
    { type: 'nudged' },
    { type: 'paused', fileId: A },
    { type: 'resumed' },
    { type: 'fileRefused', fileId: B, code: 'unsupported_media' },
    { type: 'retried' },
    { type: 'retried', fileId: B },
    { type: 'fileCancelled', fileId: A },
    { type: 'fileCancelled', fileId: B },
    { type: 'cancelled' },
    { type: 'cancelled', keep: true },
    { type: 'withdrawn' },
    { type: 'withdrawDenied', at: NOW },
    { type: 'withdrawRefused' },
  ),
)

test('in any order of events: no release without a post, no post with unsent bytes, no event after the end', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let job = post([A, 10], [B, 20])
      for (const event of events) {
        const before = job
        job = apply(job, event)
        const step = nextStep(job, NOW)
        for (const it of job.files) expect(ackedOf(it)).toBeLessThanOrEqual(it.size)
        if (step.do === 'addPost') expect(job.files.every((it) => it.state.is === 'sent')).toBe(true)
        const hadPost = addedPostOf(before)
        if (step.do === 'finish') expect(addedPostOf(job)?.id).toBe('p1')
        if (step.do === 'drop') expect(addedPostOf(job)).toBeNull()
        const isWithdrawal = event.type === 'withdrawn' || event.type === 'withdrawRefused'
        if (hadPost && !(isWithdrawal && before.stage.is === 'cancelled'))
          expect(addedPostOf(job)).toEqual(hadPost)
        if (step.do === 'withdraw') expect(job.stage.is).toBe('cancelled')
        if (before.stage.is === 'released') expect(job).toBe(before)
        if (before.stage.is === 'cancelled') expect(job.stage.is).toMatch(/cancelled|released/)
        if (job.stage.is === 'released') expect(job.stage.post.id).toBe('p1')
      }
    }),
    { numRuns: 2000 },
  )
})

test('after the server lost the post each upload’s offset is requested, then the post is added again', () => {
  const before = jobAfter(post([A, 10]), sent(A, 10), { type: 'requested' }, added, { type: 'postGone' })
  expect(before.stage).toEqual({ is: 'open' })
  expect(nextStep(before, NOW)).toEqual({ do: 'send', fileId: A })
  // The uploads may be lost with it.
  const lostBytes = apply(before, { type: 'gone', fileId: A })
  expect(lostBytes.files[0]?.state).toEqual({ is: 'waiting' })
  const again = jobAfter(before, sent(A, 10))
  expect(nextStep(again, NOW)).toEqual({ do: 'addPost' })
  expect(apply(before, { type: 'postGone' }), 'reported twice').toBe(before)
})

test('a lost post is added again twice; a retry by the person restarts the count', () => {
  const round = (job: PostJob) => jobAfter(job, added, { type: 'postGone' })
  const failed = round(round(round(post())))
  expect(failed.stage).toEqual({
    is: 'failed',
    code: 'not_found',
    post: { id: 'p1', videoId: null },
  })
  const retried = apply(failed, { type: 'retried' })
  expect(nextStep(retried, NOW)).toEqual({ do: 'release', postId: 'p1' })
  expect(nextStep(apply(retried, { type: 'postGone' }), NOW)).toEqual({ do: 'addPost' })
})

test('by the legacy protocol the post is added again first, then its chunks are sent from the first', () => {
  const job = postJob([{ id: A, size: 10 }], { protocol: 'chunked' })
  const gone = jobAfter(job, added, sent(A, 10), { type: 'postGone' })
  expect(nextStep(gone, NOW)).toEqual({ do: 'addPost' })
  const again = apply(gone, { type: 'postAdded', postId: 'p2', videoId: 'v2' })
  expect([nextStep(again, NOW), again.files[0]?.state]).toEqual([
    { do: 'send', fileId: A },
    { is: 'waiting' },
  ])
})
