// A file of a delivery, as the specification defines it (sections 3 and 4).
import { expect, test } from 'vitest'
import type { FileState, JobFile } from '#device/jobs/file-row.ts'
import type { Job, PostJob } from '#device/jobs/job-rows.ts'
import { fileIn, postJob } from '#device/testing/jobs.ts'
import type { Media } from '#device/database/schema.ts'
import { uploadedFile } from './uploaded-file.ts'

const ID = '018f0000-0000-7000-8000-000000000001'

const waiting: FileState = { is: 'waiting' }
const sending = (acked: number): FileState => ({ is: 'sending', upload: { acked, url: null } })
const sent: FileState = { is: 'sent', url: null }

const row: Media = {
  id: ID,
  draftId: ID,
  ownerId: ID,
  role: 'media',
  kind: 'video',
  name: '海.MOV',
  mime: 'video/quicktime',
  size: 200,
  duration: 12,
  alt: '波打ちぎわ',
  bytes: { is: 'stored', digest: '' },
  conversion: { is: 'ready' },
  createdAt: 0,
}

type Stage = PostJob['stage']
function job(files: JobFile[], stage: Stage = { is: 'open' }): Job {
  const { form } = postJob()
  return postJob([], { form: { ...form, kind: 'video' }, files, stage })
}
const seen = (state: FileState, stored: Media | undefined = row, stage?: Stage) => {
  const file = fileIn(state, ID)
  return uploadedFile(job([file], stage), file, stored)
}

test('a partly sent file has all fields of the specification', () => {
  expect(seen(sending(101))).toEqual({
    id: ID,
    kind: 'video',
    state: 'started',
    name: '海.MOV',
    size: 200,
    type: 'video/quicktime',
    extension: 'mov',
    meta: { alt: '波打ちぎわ', duration: 12 },
    progress: {
      bytesUploaded: 101,
      bytesTotal: 200,
      percentage: 50,
      uploadComplete: false,
      uploadStarted: true,
    },
    isPaused: false,
    error: null,
    failedAlone: false,
    isGhost: false,
    bytesAt: 'device',
  })
})

test.each([
  ['new', waiting, { uploadStarted: false, uploadComplete: false, percentage: 0 }],
  // Created on the server, no byte there yet.
  ['started', sending(0), { uploadStarted: true, uploadComplete: false, percentage: 0 }],
  ['paused', { is: 'paused', upload: { acked: 5, url: null } }, { uploadStarted: true, percentage: 2 }],
  ['processing', sent, { uploadComplete: true, percentage: 100 }],
] as const)('a file is %s in the state %o', (state, stored, progress) => {
  expect(seen(stored)).toMatchObject({ state, progress, isPaused: state === 'paused' })
})

test('a sent file is complete while another file of its post is not sent', () => {
  const done = fileIn(sent)
  expect(uploadedFile(job([done, fileIn(waiting)]), done, row).state).toBe('complete')
})

test('a file of a failed post is errored with the code', () => {
  const it = seen(sending(0), row, { is: 'failed', code: 'forbidden', post: null })
  expect(it).toMatchObject({ state: 'errored', error: 'forbidden' })
})

test('a refused file is errored, and the other files of its post are not', () => {
  const bad = fileIn({ is: 'failed', code: 'unsupported_media', upload: { acked: 0, url: null } })
  const good = fileIn(sent)
  const failed = job([bad, good], { is: 'failed', code: 'unsupported_media', post: null })
  expect(uploadedFile(failed, bad, row)).toMatchObject({
    state: 'errored',
    error: 'unsupported_media',
    failedAlone: true,
  })
  expect(uploadedFile(failed, good, row)).toMatchObject({
    state: 'complete',
    error: null,
    failedAlone: false,
  })
})

test('100 % is shown only after the server has confirmed every byte', () => {
  expect(seen(sending(200)).progress.percentage).toBe(99)
})

test('a file is a ghost until its bytes are complete on this device', () => {
  expect(seen(waiting, { ...row, bytes: { is: 'copying', stored: 3 } }).isGhost).toBe(true)
  const file = fileIn(waiting)
  expect(uploadedFile(job([file]), file, undefined)).toMatchObject({
    isGhost: true,
    name: '',
    kind: 'video',
  })
})
