// A file on its way, as the specification has it (sections 3 and 4).
import { expect, test } from 'vitest'
import { emptyDraft } from '#device/drafts/drafts.ts'
import type { Job, Media, MediaFacts } from '#device/database/schema.ts'
import { uploadedFile } from './uploaded-file.ts'

const ID = '018f0000-0000-7000-8000-000000000001'
const OTHER = '018f0000-0000-7000-8000-000000000002'

const facts = (change: Partial<MediaFacts> = {}) =>
  ({
    id: ID,
    size: 200,
    acked: 0,
    begun: false,
    url: null,
    done: false,
    paused: false,
    resends: { digest: 0, gone: 0 },
    discard: false,
    ...change,
  }) as MediaFacts

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

type Ending = Job['facts']['ending']
function job(media: MediaFacts[], ending: Ending = { is: 'open' }): Job {
  const { content, type, planIds, price, isAgeLimited, thumbnailId, frameId } = emptyDraft(ID, 0)
  return {
    id: ID,
    ownerId: ID,
    kind: 'post',
    protocol: 'tus',
    form: {
      content,
      type,
      planIds,
      price,
      isAgeLimited,
      thumbnailId,
      frameId,
      kind: 'video',
      duration: 12,
    },
    facts: {
      media,
      addTried: false,
      post: null,
      ending,
      attempts: 0,
      wait: { until: 0, told: false },
    } as Job['facts'],
    createdAt: 0,
  }
}
const seen = (it: MediaFacts, kept: Media | undefined = row, ending?: Ending) =>
  uploadedFile(job([it], ending), it, kept)

test('a file half sent says everything about itself', () => {
  expect(seen(facts({ begun: true, acked: 101 }))).toEqual({
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
    keeper: 'device',
  })
})

test.each([
  ['new', {}, { uploadStarted: false, uploadComplete: false, percentage: 0 }],
  // Created on the server, no byte there yet.
  ['started', { begun: true }, { uploadStarted: true, uploadComplete: false, percentage: 0 }],
  ['paused', { begun: true, acked: 5, paused: true }, { uploadStarted: true, percentage: 2 }],
  ['processing', { begun: true, acked: 200, done: true }, { uploadComplete: true, percentage: 100 }],
] as const)('it is %s when %o', (state, change, progress) => {
  expect(seen(facts(change))).toMatchObject({ state, progress, isPaused: state === 'paused' })
})

test('it is complete while another file of its post is not', () => {
  const done = facts({ begun: true, acked: 200, done: true })
  expect(uploadedFile(job([done, facts({ id: OTHER })]), done, row).state).toBe('complete')
})

test('in a failed post it is errored and says why', () => {
  const it = seen(facts({ begun: true }), row, { is: 'failed', code: 'forbidden' })
  expect(it).toMatchObject({ state: 'errored', error: 'forbidden' })
})

test('a file the server will not have is errored alone; the others of its post are what they are', () => {
  const bad = facts({ begun: true, failed: 'unsupported_media' })
  const good = facts({ id: OTHER, begun: true, acked: 200, done: true })
  const failed = job([bad, good], { is: 'failed', code: 'unsupported_media' })
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

test('100 % is not said before the server has said that every byte is there', () => {
  expect(seen(facts({ begun: true, acked: 200 })).progress.percentage).toBe(99)
})

test('it is a ghost until its bytes are whole on this device, and when nothing of it is', () => {
  expect(seen(facts(), { ...row, bytes: { is: 'copying', stored: 3 } }).isGhost).toBe(true)
  expect(uploadedFile(job([facts()]), facts(), undefined)).toMatchObject({
    isGhost: true,
    name: '',
    kind: 'video',
  })
})
