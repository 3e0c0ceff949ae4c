// The files a job begins with, state by state.
import { expect, test } from 'vitest'
import type { JobFile } from './file-row.ts'
import type { Preupload } from './job-rows.ts'
import { newFile, submittedFiles, withFiles, withoutDraft, withoutFile } from './new-files.ts'

const photo = { id: 'photo', size: 3 }
const film = { id: 'film', size: 7 }
const resends = { digest: 0, gone: 0 }

function preupload(files: JobFile[], more: Partial<Preupload> = {}): Preupload {
  const wait = { until: 0, told: false }
  const ids = { id: 'draft', ownerId: 'aoi' }
  return { kind: 'preupload', ...ids, files, stage: { is: 'open' }, attempts: 0, wait, createdAt: 0, ...more }
}
const both = () => preupload([newFile(photo), newFile(film)])

test('the server has no bytes of a new file', () => {
  expect(newFile(photo)).toEqual({ id: 'photo', size: 3, state: { is: 'waiting' }, resends })
})

test('each file of a draft is added to its preupload once, and reopens a failed preupload', () => {
  const first = preupload([newFile(photo)], { stage: { is: 'failed', code: 'forbidden' } })
  expect(withFiles(first, [photo])).toBe(first)
  const more = withFiles(first, [photo, film])
  expect([more.files.map((it) => it.id), more.stage]).toEqual([['photo', 'film'], { is: 'open' }])
})

test('a removed file is discarded on the server, and so are all files of a discarded draft', () => {
  const job = { ...both(), attempts: 4, wait: { until: 9, told: true } }
  const without = withoutFile(job, 'photo')
  expect(without.files.map((it) => it.state)).toEqual([
    { is: 'discarding', url: null, next: 'remove' },
    { is: 'waiting' },
  ])
  expect([without.attempts, without.wait]).toEqual([4, { until: 9, told: true }])
  const discarded = withoutDraft(job)
  expect(discarded.files.map((it) => it.state.is)).toEqual(['discarding', 'discarding'])
  expect(discarded).toMatchObject({
    stage: { is: 'cancelled' },
    attempts: 0,
    wait: { until: 0, told: false },
  })
})

test.each([
  { is: 'sent', url: '/a' },
  { is: 'sending', upload: { acked: 2, url: '/a' } },
] as const)('a submission takes over what its preupload has sent: $is', (state) => {
  const up = preupload([{ ...newFile(photo), state, resends: { digest: 1, gone: 2 } }])
  expect(submittedFiles(up, [photo, film], 'tus').files).toEqual([
    { ...photo, state, resends },
    newFile(film),
  ])
})

test.each([
  { is: 'paused', upload: { acked: 2, url: '/a' } },
  { is: 'failed', code: 'invalid', upload: { acked: 2, url: '/a' } },
] as const)('a submission sends again what was $is', (state) => {
  const up = preupload([{ ...newFile(photo), state }])
  const upload = { acked: 2, url: '/a' }
  expect(submittedFiles(up, [photo], 'tus').files).toEqual([
    { ...photo, state: { is: 'sending', upload }, resends },
  ])
})

test('all files are new with the legacy protocol, and without a preupload', () => {
  const up = preupload([{ ...newFile(photo), state: { is: 'sent', url: '/a' } }])
  expect(submittedFiles(up, [photo], 'chunked').files).toEqual([newFile(photo)])
  expect(submittedFiles(undefined, [photo], 'tus').files).toEqual([newFile(photo)])
})

test('a file removed while it was sent is still to be discarded, even if it was picked again', () => {
  const out = withoutFile(preupload([newFile(photo)]), 'photo')
  expect(submittedFiles(out, [photo, film], 'tus').files.map((it) => [it.id, it.state.is])).toEqual([
    ['photo', 'waiting'],
    ['film', 'waiting'],
    ['photo', 'discarding'],
  ])
})

test('a wait requested by the server applies to the submission, one of the device does not', () => {
  const wait = { until: 99, told: true }
  expect(submittedFiles({ ...both(), wait }, [photo], 'tus').wait).toEqual(wait)
  const own = { ...both(), wait: { until: 99, told: false } }
  expect(submittedFiles(own, [photo], 'tus').wait).toEqual({ until: 0, told: false })
})
