// Submission of an identity check: once, with all its parts.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { storeConverted } from '#device/files/conversions.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import {
  chooseDocument,
  discardIdentity,
  storePart,
  storePrompts,
  readIdentity,
  readIdentityJob,
  submitIdentityDraft,
} from './identity.ts'
import { finishJob, listJobs, submitDraft } from './jobs.ts'
import { newId } from '#contract/ids.ts'
import { NOW, newPrompts, identityFile, locks, storeWholeCheck } from '#device/testing/identity.ts'
import { changesDuring } from '#device/testing/changes.ts'

const AOI = newId()

beforeEach(() => void vi.stubGlobal('navigator', { locks }))
afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

/** The changes that `work` emits, without those of files. */
const emitted = async (work: () => Promise<unknown>) =>
  (await changesDuring(work)).filter((it) => it.store !== 'chunks' && it.store !== 'media')

test('a check that lacks a part is not submitted', async () => {
  await storeWholeCheck(AOI)
  await storePrompts(AOI, newPrompts(), NOW)
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
  expect(await submitIdentityDraft(newId(), true, NOW)).toEqual({ is: 'incomplete' })
})

test.each(['documentKind', 'asked', 'front', 'back', 'live'] as const)(
  'a check without its %s is not submitted',
  async (field) => {
    await storeWholeCheck(AOI)
    await transact(['identity'], 'readwrite', async (tx) => {
      const draft = await tx.objectStore('identity').get(AOI)
      if (draft) await tx.objectStore('identity').put({ ...draft, [field]: null })
    })
    expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
    expect(await listJobs(AOI)).toEqual([])
  },
)

test('a check whose picture has lost its row is not submitted', async () => {
  await storeWholeCheck(AOI)
  const front = defined((await readIdentity(AOI))?.front)
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(front))
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
})

test('a check is not submitted before its photos are converted', async () => {
  await storeWholeCheck(AOI)
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 0 } as const
  await storePart(AOI, 'front', identityFile('picked', 'image/heic'), NOW, conversion)
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
  const mediaId = defined((await readIdentity(AOI))?.front)
  await storeConverted(mediaId, new File(['jpeg'], 'front.jpg', { type: 'image/jpeg' }))
  expect(await submitIdentityDraft(AOI, true, NOW)).toMatchObject({ is: 'submitted' })
})

test('a second press makes no second job; the recording is sent first', async () => {
  await storeWholeCheck(AOI)
  const ends = await Promise.all([1, 2].map(() => submitIdentityDraft(AOI, true, NOW)))
  expect(ends.map((end) => end.is).toSorted()).toEqual(['already', 'submitted'])
  const [job] = await listJobs(AOI)
  const draft = await readIdentity(AOI)
  expect(job).toMatchObject({
    kind: 'identity',
    id: draft?.id,
    form: { front: draft?.front, live: draft?.live },
  })
  expect(job?.files.map((it) => it.id)).toEqual([draft?.live, draft?.back, draft?.front])
})

test('a document without a back sends only its front and the recording', async () => {
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  const end = await submitIdentityDraft(AOI, false, NOW)
  expect(end).toMatchObject({ is: 'submitted', job: { form: { back: null } } })
  expect((await readIdentityJob(AOI))?.files.map((it) => it.id)).toEqual([draft?.live, draft?.front])
})

test('a submitted check does not change', async () => {
  await storeWholeCheck(AOI)
  await submitIdentityDraft(AOI, true, NOW)
  const draft = await readIdentity(AOI)
  expect(await storePart(AOI, 'front', identityFile('other'), NOW)).toEqual({ is: 'removed' })
  await chooseDocument(AOI, 'passport', NOW)
  await discardIdentity(AOI)
  expect(await readIdentity(AOI)).toEqual(draft)
})

test('every change of a check is emitted, and a submission as a job too', async () => {
  const check = { store: 'identity', id: AOI }
  expect(await emitted(() => chooseDocument(AOI, 'passport', NOW))).toEqual([check])
  expect(await emitted(() => storePrompts(AOI, newPrompts(), NOW))).toEqual([check])
  expect(await emitted(() => storePart(AOI, 'front', identityFile('front'), NOW))).toEqual([check, check])
  await storePart(AOI, 'live', identityFile('live', 'video/webm'), NOW)
  const id = (await readIdentity(AOI))?.id
  expect(await emitted(() => submitIdentityDraft(AOI, false, NOW))).toEqual([{ store: 'jobs', id }, check])
  expect(await emitted(() => submitIdentityDraft(AOI, false, NOW))).toEqual([])
  expect(await emitted(() => chooseDocument(AOI, 'drivers_license', NOW))).toEqual([])
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  expect(await emitted(() => finishJob(job, 'check-1', NOW))).toEqual([
    check,
    { store: 'jobs', id },
    { store: 'receipts', id },
  ])
  expect(await emitted(() => discardIdentity(AOI))).toEqual([check])
})

test('a post is not read as the job of a check', async () => {
  const draft = await changeDraft(emptyDraft(AOI, NOW), (it) => ({ ...it, content: '朝の海' }), NOW)
  if (draft) await submitDraft(draft, NOW)
  expect(await readIdentityJob(AOI)).toBeUndefined()
})
