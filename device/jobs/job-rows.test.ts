// What may be done with a job in each of its stages.
import { newId } from '#contract/ids.ts'
import { expect, test } from 'vitest'
import { postJob } from '#device/testing/jobs.ts'
import { addedPostOf, canDropFile, hasFilesInside, type AddedPost, type PostJob } from './job-rows.ts'

const post = { id: 'p1', videoId: null }

test.each<[stage: PostJob['stage'], canDrop: boolean, added: AddedPost | null]>([
  [{ is: 'open' }, true, null],
  [{ is: 'requested' }, false, null],
  [{ is: 'added', post }, false, post],
  [{ is: 'released', post, at: 1 }, false, post],
  [{ is: 'failed', code: 'invalid', post: null }, true, null],
  [{ is: 'failed', code: 'invalid', post }, false, post],
  [{ is: 'cancelled', post: null }, false, null],
  [{ is: 'cancelled', post }, false, post],
])(
  'a file can be removed from a post only while the server has no post and none is being added: %j',
  (stage, canDrop, added) => {
    const job = postJob([], { stage })
    expect(canDropFile(job)).toBe(canDrop)
    expect(addedPostOf(job)).toEqual(added)
  },
)

test('only images of the legacy protocol are sent inside the request that adds the post', () => {
  const file = { id: newId(), size: 1 }
  const of = (protocol: PostJob['protocol'], kind: PostJob['form']['kind']) => {
    const job = postJob([file], { protocol })
    return hasFilesInside({ ...job, form: { ...job.form, kind } })
  }
  expect(of('chunked', 'images')).toBe(true)
  expect(of('chunked', 'video')).toBe(false)
  expect(of('chunked', 'none')).toBe(false)
  expect(of('tus', 'images')).toBe(false)
})
