// Waits of a post's job before it is retried (specification sections 4, 9).
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { jobRow } from '#device/jobs/job-rows.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { A, NOW, lost, post, sent } from '#sw/testing/post-events.ts'
import { apply, nextStep, type PostEvent } from './post.ts'

test('waits are 0, 1, 3 and 5 seconds, then grow with jitter to five minutes', () => {
  let job = post([A, 10])
  const waits: number[] = []
  for (let i = 0; i < 12; i++) {
    job = apply(job, lost())
    waits.push(job.wait.until - NOW)
  }
  expect(waits.slice(0, 4)).toEqual([0, 1000, 3000, 5000])
  expect(waits.slice(4)).toEqual([10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000, 300_000])
  const early = apply({ ...job, attempts: 4 }, { type: 'lost', at: NOW, jitter: 0 })
  expect(early.wait.until - NOW).toBe(5000)
})

test('progress restarts the waits from the first', () => {
  const job = jobAfter(post([A, 10]), lost(), lost(), lost(), sent(A, 4))
  expect(job).toMatchObject({ attempts: 0, wait: { until: 0 } })
})

test('a network that is back ends a wait of the queue but not one that the server requested', () => {
  const own = jobAfter(post([A, 10]), lost(), lost(), { type: 'nudged' })
  expect(nextStep(own, NOW)).toEqual({ do: 'send', fileId: A })
  const requested = jobAfter(post([A, 10]), lost(7000), { type: 'nudged' })
  expect(nextStep(requested, NOW)).toEqual({ do: 'wait', for: 'time', until: NOW + 7000 })
})

test('waits for a server without room grow, are no shorter than it requested, and end with no press', () => {
  const full = (retryAfter?: number): PostEvent => ({
    ...lost(retryAfter),
    type: 'lost',
    at: NOW,
    jitter: 1,
    why: 'storage_full',
  })
  const first = jobAfter(post([A, 10]), full(15_000))
  expect(first.wait).toEqual({ until: NOW + 15_000, told: true, why: 'storage_full' })
  expect([first.stage.is, nextStep(first, NOW).do]).toEqual(['open', 'wait'])
  expect(apply(first, { type: 'nudged' })).toBe(first)
  const later = jobAfter(post([A, 10]), ...Array.from({ length: 7 }, () => full(15_000)))
  expect(later.wait.until).toBe(NOW + 40_000)
  expect(jobAfter(first, sent(A, 4)).wait).toEqual({ until: 0, told: false })
  expect(jobAfter(first, { type: 'created', fileId: A, url: 'https://x/1' }).wait.why).toBeUndefined()
  // The answer of a proxy that names no time.
  expect(jobAfter(post([A, 10]), full()).wait).toEqual({ until: NOW, told: false, why: 'storage_full' })
})

test('a wait that the server requests replaces the own one, also a shorter one, and has no other reason', () => {
  const late = { ...post([A, 10]), attempts: 6 }
  expect(apply(late, lost(1000)).wait).toStrictEqual({ until: NOW + 1000, told: true })
})

const strange: PostEvent = { type: 'lost', at: NOW, jitter: 1, why: 'foreign' }

test('an answer of another server is recorded with the usual wait, and removed by the next progress', () => {
  const job = jobAfter(post([A, 10]), strange, strange)
  expect(job.wait).toEqual({ until: NOW + 1000, told: false, foreign: true })
  expect(jobAfter(job, sent(A, 4)).wait).toEqual({ until: 0, told: false })
})

test('the person can end every wait, also one that the server requested', () => {
  const requested = jobAfter(post([A, 10]), lost(60_000))
  expect(apply(requested, { type: 'nudged' })).toBe(requested)
  expect(nextStep(apply(requested, { type: 'hurried' }), NOW)).toEqual({ do: 'send', fileId: A })
  expect(apply(post([A, 10]), { type: 'hurried' }).wait.until).toBe(0)
})

test('a wait ends at its time; waits longer than ten minutes are ignored', () => {
  const until = (ms: number) => ({ ...post([A, 10]), wait: { until: NOW + ms, told: true } })
  expect(nextStep(until(0), NOW)).toEqual({ do: 'send', fileId: A })
  expect(nextStep(until(600_000), NOW)).toEqual({ do: 'wait', for: 'time', until: NOW + 600_000 })
  expect(nextStep(until(600_001), NOW)).toEqual({ do: 'send', fileId: A })
})

test('a wait of a day, stored by an older build, is ignored', () => {
  const day = { ...post([A, 10]), wait: { until: NOW + 86_400_000, told: true } }
  expect(nextStep(day, NOW)).toEqual({ do: 'send', fileId: A })
})

test('after a refused token the next sign-in continues at once, however long the job waited before', () => {
  const refused: PostEvent = { type: 'tokenRefused', at: NOW, jitter: 1 }
  const job = jobAfter(post([A, 10]), ...Array.from({ length: 8 }, () => lost()), refused)
  expect(job.wait.until).toBe(NOW)
  expect(jobAfter(job, refused, refused).wait.until).toBe(NOW + 3000)
})

test('a wait of a newer build, with a reason that this one does not know, is read', () => {
  const row = { ...post([A, 10]), id: A, ownerId: A, key: A }
  const withWhy = (why: string) => ({ ...row, wait: { until: 1, told: true, why } })
  expect(v.is(jobRow, withWhy('storage_full'))).toBe(true)
  expect(v.parse(jobRow, withWhy('of a newer build')).wait.why).toBeUndefined()
})
