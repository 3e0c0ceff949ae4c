// The machine of a post: files, cancelled posts, the legacy protocol (specification sections 4, 7).
import { expect, test } from 'vitest'
import { addedPostOf } from '#device/jobs/job-rows.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { apply, canCancel, nextStep, type PostEvent, type PostStep } from './post.ts'

const A = '018f0000-0000-7000-8000-00000000000a'
const B = '018f0000-0000-7000-8000-00000000000b'
const NOW = Date.parse('2026-03-05T03:30:00Z')
const DAY = 24 * 3600 * 1000

const pictures = () =>
  postJob([
    { id: A, size: 10 },
    { id: B, size: 20 },
  ])
const video = () => postJob([{ id: A, size: 10 }], { protocol: 'chunked' })
const sent = (fileId: string, offset: number): PostEvent => ({ type: 'accepted', fileId, offset })
const refused = (fileId: string): PostEvent => ({ type: 'fileRefused', fileId, code: 'unsupported_media' })
const added: PostEvent = { type: 'postAdded', postId: 'p1', videoId: 'v1' }

test('a refused file fails alone; the others are sent, then the job waits for the person', () => {
  const job = jobAfter(pictures(), refused(A))
  expect(job.stage).toEqual({ is: 'open' })
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: B })
  const stuck = apply(job, sent(B, 20))
  expect(stuck.stage).toEqual({ is: 'failed', code: 'unsupported_media', post: null })
})

test('a refused file that is retried is sent from the server’s offset', () => {
  const job = jobAfter(pictures(), refused(A), sent(B, 20), { type: 'retried', fileId: A })
  expect(job.stage).toEqual({ is: 'open' })
  expect(job.files[0]?.state).toEqual({ is: 'waiting' })
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
})

test('a file that is removed from the post is removed from the server, and the post is sent without it', () => {
  let job = jobAfter(pictures(), sent(A, 5), sent(B, 20), { type: 'fileCancelled', fileId: A })
  expect(nextStep(job, NOW)).toEqual({ do: 'discard', fileId: A })
  job = apply(job, { type: 'discarded', fileId: A })
  expect(job.files.map((it) => it.id)).toEqual([B])
  expect(nextStep(job, NOW)).toEqual({ do: 'addPost' })
})

test('the progress of a file is measured by the bytes that the server has of it', () => {
  const lost: PostEvent = { type: 'lost', at: NOW, jitter: 1 }
  const job = jobAfter(pictures(), sent(A, 8), lost)
  expect(apply(job, sent(B, 3)).attempts).toBe(0)
  expect(apply(job, sent(A, 7)).attempts).toBe(1)
  expect(apply(job, sent('unknown', 3))).toBe(job)
})

test('the job fails when one of two files was sent again too often', () => {
  const [first, second] = pictures().files
  if (!first || !second) throw new Error('the job has fewer than two files')
  const again = { ...first, resends: { digest: 1, gone: 3 } }
  const job = postJob([], { files: [again, second], stage: { is: 'requested' } })
  expect(apply(job, { type: 'digestDiffered', fileIds: [A, B] }).stage).toMatchObject({
    code: 'digest_mismatch',
  })
  expect(apply(job, { type: 'uploadsDenied' }).stage).toMatchObject({ code: 'upload_incomplete' })
})

test('removing the refused file lets a failed post continue', () => {
  const job = jobAfter(pictures(), sent(B, 20), refused(A), { type: 'fileCancelled', fileId: A })
  expect(job.stage).toEqual({ is: 'open' })
  expect(nextStep(job, NOW)).toEqual({ do: 'addPost' })
})

test('removing the last file cancels the job', () => {
  const job = jobAfter(pictures(), { type: 'fileCancelled', fileId: A }, { type: 'fileCancelled', fileId: B })
  expect(job.stage).toEqual({ is: 'cancelled', post: null })
})

test('by the legacy protocol the post is added before its video is sent', () => {
  const steps: PostStep[] = []
  let job = video()
  for (const event of [added, sent(A, 10), { type: 'released', at: NOW }] satisfies PostEvent[]) {
    steps.push(nextStep(job, NOW))
    job = apply(job, event)
  }
  expect([...steps, nextStep(job, NOW)]).toEqual([
    { do: 'addPost' },
    { do: 'send', fileId: A },
    { do: 'release', postId: 'p1' },
    { do: 'finish', postId: 'p1', at: NOW },
  ])
})

test('by the legacy protocol pictures travel inside the post', () => {
  const { form } = postJob([])
  const inside = postJob([{ id: A, size: 10 }], { protocol: 'chunked', form: { ...form, kind: 'images' } })
  expect(nextStep(inside, NOW)).toEqual({ do: 'addPost' })
  const job = apply(inside, added)
  expect(job.files[0]?.state).toEqual({ is: 'sent', url: null })
  expect(nextStep(job, NOW)).toEqual({ do: 'release', postId: 'p1' })
})

test('a video that differs at the release is sent again once, then the job fails', () => {
  const differs: PostEvent = { type: 'digestDiffered', fileIds: [A] }
  const again = jobAfter(video(), added, sent(A, 10), differs)
  expect(addedPostOf(again)?.id).toBe('p1')
  expect(nextStep(again, NOW)).toEqual({ do: 'send', fileId: A })
  expect(jobAfter(again, sent(A, 10), differs).stage).toEqual({
    is: 'failed',
    code: 'digest_mismatch',
    post: { id: 'p1', videoId: 'v1' },
  })
})

test('a video that the server lost is lost with its post: the post is added again', () => {
  const job = jobAfter(video(), added, sent(A, 5), { type: 'gone', fileId: A })
  expect(job.stage).toEqual({ is: 'open' })
  expect(nextStep(job, NOW)).toEqual({ do: 'addPost' })
})

test('a job whose post was added can be cancelled: the post is withdrawn, then its files are removed', () => {
  let job = jobAfter(pictures(), sent(A, 10), sent(B, 20), { type: 'requested' }, added, {
    type: 'cancelled',
  })
  expect(nextStep(job, NOW)).toEqual({ do: 'withdraw', postId: 'p1' })
  job = apply(job, { type: 'withdrawn' })
  expect(nextStep(job, NOW)).toEqual({ do: 'discard', fileId: A })
  job = jobAfter(job, { type: 'discarded', fileId: A }, { type: 'discarded', fileId: B })
  expect(nextStep(job, NOW)).toEqual({ do: 'drop' })
})

test('a job cancelled for editing leaves its files on the server', () => {
  const job = jobAfter(pictures(), sent(A, 10), sent(B, 20), added, { type: 'cancelled', keep: true })
  expect(nextStep(apply(job, { type: 'withdrawn' }), NOW)).toEqual({ do: 'drop' })
})

test('a post that turns out to be released can’t be cancelled: the job ends as released', () => {
  const job = jobAfter(pictures(), sent(A, 10), sent(B, 20), added, { type: 'cancelled' })
  const denied = apply(job, { type: 'withdrawDenied', at: NOW })
  expect(nextStep(denied, NOW)).toEqual({ do: 'finish', postId: 'p1', at: NOW })
})

test('a cancelled job withdraws its added post however long the server is unreachable', () => {
  const losses = Array.from({ length: 9 }, (): PostEvent => ({ type: 'lost', at: NOW, jitter: 1 }))
  const job = jobAfter(video(), added, { type: 'cancelled' }, ...losses)
  expect(nextStep(job, NOW + DAY)).toEqual({ do: 'withdraw', postId: 'p1' })
  expect(canCancel(job)).toBe(false)
})

test('a wait stored by a clock that was a year ahead is over', () => {
  const job = jobAfter(pictures(), { type: 'lost', at: NOW + 365 * DAY, jitter: 1, retryAfter: 1000 })
  expect(nextStep(job, NOW)).toEqual({ do: 'send', fileId: A })
})
