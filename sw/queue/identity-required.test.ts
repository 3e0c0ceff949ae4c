// A post refused for a missing identity check keeps its uploads. It returns to the editor or is published later, once.
import { expect, test } from 'vitest'
import { ackedOf } from '#device/jobs/file-row.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { apply, canCancel, nextStep, type PostEvent } from './machines/post.ts'
import { endOf } from './requests/outcome.ts'

const FILE = '018f0000-0000-7000-8000-00000000000a'
const NOW = Date.parse('2026-03-05T03:30:00Z')
const refusal = JSON.stringify({ error: { code: 'identity_required' } })
const refused: PostEvent = { type: 'refused', code: 'identity_required' }

const sent: PostEvent = { type: 'accepted', fileId: FILE, offset: 10 }
const uploaded = () => jobAfter(postJob([{ id: FILE, size: 10 }]), sent, { type: 'requested' })

test('the reply is a refusal, which the queue does not retry by itself', () => {
  const end = endOf(403, refusal, () => null, NOW)
  expect(end).toEqual({ is: 'refused', code: 'identity_required' })
  const job = apply(uploaded(), refused)
  expect(job.stage).toEqual({ is: 'failed', code: 'identity_required', post: null })
  expect(nextStep(job, NOW)).toEqual({ do: 'wait', for: 'person' })
})

test('a post that returns to the editor leaves its uploads on the server', () => {
  const job = apply(uploaded(), refused)
  expect(canCancel(job)).toBe(true)
  const back = apply(job, { type: 'cancelled', keep: true })
  expect(back.files.map((it) => it.state.is)).toEqual(['sent'])
  expect(nextStep(back, NOW)).toEqual({ do: 'drop' })
})

test('a retry requests the offsets from the server, adds the post and releases it once', () => {
  let job = apply(apply(uploaded(), refused), { type: 'retried' })
  expect([nextStep(job, NOW), job.files.map(ackedOf)]).toEqual([{ do: 'send', fileId: FILE }, [10]])
  job = apply(job, sent)
  expect(nextStep(job, NOW)).toEqual({ do: 'addPost' })
  job = apply(job, { type: 'postAdded', postId: 'p1', videoId: null })
  expect(nextStep(job, NOW)).toEqual({ do: 'release', postId: 'p1' })
  job = apply(job, { type: 'released', at: NOW })
  expect(nextStep(job, NOW)).toEqual({ do: 'finish', postId: 'p1', at: NOW })
  expect(apply(job, { type: 'retried' })).toBe(job)
})

test('a post refused at its release is withdrawn before it is a draft again', () => {
  const added = apply(uploaded(), { type: 'postAdded', postId: 'p1', videoId: null })
  const back = apply(apply(added, refused), { type: 'cancelled', keep: true })
  expect(nextStep(back, NOW)).toEqual({ do: 'withdraw', postId: 'p1' })
  expect(nextStep(apply(back, { type: 'withdrawn' }), NOW)).toEqual({ do: 'drop' })
})
