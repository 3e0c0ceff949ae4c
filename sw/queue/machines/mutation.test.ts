// The machine of a mutation, statement by statement.
import { expect, test } from 'vitest'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { likeJob } from '#device/testing/jobs.ts'
import { apply, nextStep, type MutationEvent } from './mutation.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const after = (...events: MutationEvent[]): MutationJob => events.reduce(apply, likeJob())
const lost: MutationEvent = { type: 'lost', at: NOW, jitter: 1 }

test('a mutation is requested until it is answered, then the device may delete it', () => {
  expect(nextStep(after(), NOW)).toEqual({ do: 'request' })
  expect(nextStep(after({ type: 'requested' }), NOW)).toEqual({ do: 'request' })
  const delivered = after({ type: 'requested' }, { type: 'delivered', id: 'x', at: 7 })
  expect(nextStep(delivered, NOW)).toEqual({ do: 'finish', id: 'x', at: 7 })
  expect(apply(delivered, lost)).toBe(delivered)
})

test('lost requests wait like those of posts, and a press of the person ends the wait', () => {
  const waiting = after(lost, lost, lost)
  expect(nextStep(waiting, NOW)).toEqual({ do: 'wait', for: 'time', until: NOW + 3000 })
  expect(nextStep(apply(waiting, { type: 'nudged' }), NOW)).toEqual({ do: 'request' })
})

test.each([
  [
    { type: 'refused', code: 'invalid', fields: { content: 'too_long' } },
    { is: 'failed', code: 'invalid', fields: { content: 'too_long' } },
  ],
  [
    { type: 'refused', code: 'not_found' },
    { is: 'failed', code: 'not_found' },
  ],
  // The mutation names no files: repeating it at once would never end.
  [{ type: 'uploadsDenied' }, { is: 'failed', code: 'upload_incomplete' }],
  [
    { type: 'digestDiffered', fileIds: ['a'] },
    { is: 'failed', code: 'digest_mismatch' },
  ],
] satisfies [MutationEvent, MutationJob['stage']][])(
  '%j fails the mutation, which then waits for the person',
  (event, stage) => {
    const failed = after({ type: 'requested' }, event)
    expect(failed.stage).toEqual(stage)
    expect(nextStep(failed, NOW)).toEqual({ do: 'wait', for: 'person' })
    expect(apply(failed, lost)).toBe(failed)
    expect(nextStep(apply(failed, { type: 'retried' }), NOW)).toEqual({ do: 'request' })
  },
)

test.each([
  { type: 'paused' },
  { type: 'resumed' },
  { type: 'cancelled' },
  { type: 'retried' },
  { type: 'fileCancelled', fileId: 'a' },
] as const)('$type is for jobs with files, and changes nothing', (event) => {
  const job = after({ type: 'requested' })
  expect(apply(job, event)).toBe(job)
})
