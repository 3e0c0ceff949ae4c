// A job of a post and its events, for tests of its machine.
import type { PostJob } from '#device/jobs/job-rows.ts'
import { postJob } from '#device/testing/jobs.ts'
import type { PostEvent } from '#sw/queue/machines/post.ts'

export const A = '018f0000-0000-7000-8000-00000000000a'
export const B = '018f0000-0000-7000-8000-00000000000b'
export const NOW = Date.parse('2026-03-05T03:30:00Z')

export const post = (...files: [id: string, size: number][]): PostJob =>
  postJob(files.map(([id, size]) => ({ id, size })))
export const sent = (id: string, size: number): PostEvent => ({ type: 'accepted', fileId: id, offset: size })
export const added: PostEvent = { type: 'postAdded', postId: 'p1', videoId: null }
export const lost = (retryAfter?: number): PostEvent => ({
  type: 'lost',
  at: NOW,
  jitter: 1,
  ...(retryAfter === undefined ? {} : { retryAfter }),
})
