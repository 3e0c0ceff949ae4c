// The queue's machine: single files, posts taken back, and the legacy protocol's order (specification sections 4, 7).
import { expect, test } from 'vitest'
import { newFacts } from '#device/jobs/facts.ts'
import type { JobFacts } from '#device/database/schema.ts'
import { apply, canCancel, type QueueEvent } from './machine.ts'
import { nextStep, type Step } from './next-step.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const NOW = Date.parse('2026-03-05T03:30:00Z')
const DAY = 24 * 3600 * 1000

const pictures = () =>
  newFacts(
    [
      { id: A, size: 10, kind: 'image' },
      { id: B, size: 20, kind: 'image' },
    ],
    'tus',
  )
const video = () => newFacts([{ id: A, size: 10, kind: 'video' }], 'chunked')
const after = (facts: JobFacts, ...events: QueueEvent[]) => events.reduce(apply, facts)
const sent = (mediaId: string, offset: number): QueueEvent => ({ type: 'accepted', mediaId, offset })
const refused = (mediaId: string): QueueEvent => ({ type: 'refused', mediaId, code: 'unsupported_media' })
const added: QueueEvent = { type: 'postAdded', postId: 'p1', videoId: 'v1' }

test('a file the server will not have fails alone; the others are sent, then the person is asked', () => {
  const facts = after(pictures(), refused(A))
  expect(facts.ending).toEqual({ is: 'open' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: B })
  const stuck = apply(facts, sent(B, 20))
  expect(stuck.ending).toEqual({ is: 'failed', code: 'unsupported_media' })
})

test('a refused file that is tried again is sent from what the server says', () => {
  const facts = after(pictures(), refused(A), sent(B, 20), { type: 'retried', mediaId: A })
  expect(facts.ending).toEqual({ is: 'open' })
  expect(facts.media[0]?.failed).toBeNull()
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
})

test('a file that is taken out is removed from the server, and the post goes without it', () => {
  let facts = after(pictures(), sent(A, 5), sent(B, 20), { type: 'fileCancelled', mediaId: A })
  expect(nextStep(facts, NOW)).toEqual({ do: 'discard', mediaId: A })
  facts = apply(facts, { type: 'discarded', mediaId: A })
  expect(facts.media.map((it) => it.id)).toEqual([B])
  expect(nextStep(facts, NOW)).toEqual({ do: 'addPost' })
})

test('taking the refused file out lets a failed post go on', () => {
  const facts = after(pictures(), sent(B, 20), refused(A), { type: 'fileCancelled', mediaId: A })
  expect(facts.ending).toEqual({ is: 'open' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'addPost' })
})

test('taking the last file out takes the job back', () => {
  const facts = after(
    pictures(),
    { type: 'fileCancelled', mediaId: A },
    { type: 'fileCancelled', mediaId: B },
  )
  expect(facts.ending).toEqual({ is: 'cancelled' })
})

test('by the legacy protocol the post is added before its video is sent', () => {
  const steps: Step[] = []
  let facts = video()
  for (const event of [added, sent(A, 10), { type: 'released', at: NOW }] satisfies QueueEvent[]) {
    steps.push(nextStep(facts, NOW))
    facts = apply(facts, event)
  }
  expect([...steps, nextStep(facts, NOW)]).toEqual([
    { do: 'addPost' },
    { do: 'send', mediaId: A },
    { do: 'release', postId: 'p1' },
    { do: 'finish', postId: 'p1', at: NOW },
  ])
})

test('by the legacy protocol pictures travel inside the post', () => {
  const inside = newFacts([{ id: A, size: 10, kind: 'image' }], 'chunked')
  expect(nextStep(inside, NOW)).toEqual({ do: 'addPost' })
  const facts = apply(inside, added)
  expect(facts.media[0]).toMatchObject({ acked: 10, done: true })
  expect(nextStep(facts, NOW)).toEqual({ do: 'release', postId: 'p1' })
})

test('a video that differs at the release is sent anew once, then the job fails', () => {
  const differs: QueueEvent = { type: 'digestDiffered', mediaIds: [A] }
  const again = after(video(), added, sent(A, 10), differs)
  expect(again.post?.id).toBe('p1')
  expect(nextStep(again, NOW)).toEqual({ do: 'send', mediaId: A })
  expect(after(again, sent(A, 10), differs).ending).toEqual({ is: 'failed', code: 'digest_mismatch' })
})

test('a video the server no longer knows is gone with its post: the post is added anew', () => {
  const facts = after(video(), added, sent(A, 5), { type: 'gone', mediaId: A })
  expect(facts).toMatchObject({ post: null, addTried: false })
  expect(nextStep(facts, NOW)).toEqual({ do: 'addPost' })
})

test('a job whose post is known can be taken back: the post first, then what was sent', () => {
  let facts = after(pictures(), sent(A, 10), sent(B, 20), { type: 'addTried' }, added, { type: 'cancelled' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'withdraw', postId: 'p1' })
  facts = apply(facts, { type: 'withdrawn' })
  expect(nextStep(facts, NOW)).toEqual({ do: 'discard', mediaId: A })
  facts = after(facts, { type: 'discarded', mediaId: A }, { type: 'discarded', mediaId: B })
  expect(nextStep(facts, NOW)).toEqual({ do: 'drop' })
})

test('taken back for another edit, what was sent stays on the server', () => {
  const facts = after(pictures(), sent(A, 10), sent(B, 20), added, { type: 'cancelled', keep: true })
  expect(nextStep(apply(facts, { type: 'withdrawn' }), NOW)).toEqual({ do: 'drop' })
})

test('a post that turns out to be released can’t be taken back: the job ends released', () => {
  const facts = after(pictures(), sent(A, 10), sent(B, 20), added, { type: 'cancelled' })
  const denied = apply(facts, { type: 'withdrawDenied', at: NOW })
  expect(nextStep(denied, NOW)).toEqual({ do: 'finish', postId: 'p1', at: NOW })
})

test('however long the server is out of reach, a known post is not left behind by a cancel', () => {
  const losses = Array.from({ length: 9 }, (): QueueEvent => ({ type: 'lost', at: NOW, jitter: 1 }))
  const facts = after(video(), added, { type: 'cancelled' }, ...losses)
  expect(nextStep(facts, NOW + DAY)).toEqual({ do: 'withdraw', postId: 'p1' })
  expect(canCancel(facts)).toBe(false)
})

test('a wait noted by a clock that was a year ahead is over', () => {
  const facts = after(pictures(), { type: 'lost', at: NOW + 365 * DAY, jitter: 1, retryAfter: 1000 })
  expect(nextStep(facts, NOW)).toEqual({ do: 'send', mediaId: A })
})
