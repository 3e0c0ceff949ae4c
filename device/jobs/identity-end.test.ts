// The end of an identity check on the device: delivered, dropped, discarded or unreadable.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { readChunk } from '#device/files/chunks.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import {
  chooseDocument,
  discardIdentity,
  storePrompts,
  readIdentity,
  readIdentityJob,
  submitIdentityDraft,
} from './identity.ts'
import { changeJob, dropJob, finishJob, listJobs, unshownReceipts } from './jobs.ts'
import { listMedia } from '#device/files/media.ts'
import { purgePerson } from '#device/session/purge.ts'
import { newId } from '#contract/ids.ts'
import { NOW, newPrompts, locks, storeWholeCheck } from '#device/testing/identity.ts'
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

test('an acknowledged check leaves only its receipt', async () => {
  await storeWholeCheck(AOI)
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  await finishJob(job, 'check-1', NOW)
  expect([await readIdentity(AOI), await listJobs(AOI), await listMedia(job.id)]).toEqual([undefined, [], []])
  for (const { id } of job.files) expect(await readChunk(id, 0)).toBeUndefined()
  expect(await unshownReceipts(AOI)).toMatchObject([{ kind: 'identity', postId: 'check-1' }])
})

test('a failed check that is dropped can be edited again with its pictures', async () => {
  await storeWholeCheck(AOI)
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  await changeJob(defined(job?.id), (it) =>
    it.kind === 'identity' ? { ...it, stage: { is: 'failed', code: 'conflict' } } : it,
  )
  await dropJob(defined(job?.id))
  await storePrompts(AOI, newPrompts(), NOW)
  expect(await readIdentity(AOI)).toMatchObject({ front: expect.any(String), live: null })
})

test('a sign-out deletes a check unless it was submitted', async () => {
  const user = { id: AOI, email: 'a@example.com', name: 'あおい', avatar_url: null, role: 'member' as const }
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  await purgePerson(user)
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await readChunk(defined(draft?.front), 0)).toBeUndefined()
  await storeWholeCheck(AOI)
  const end = await submitIdentityDraft(AOI, true, NOW)
  if (end.is !== 'submitted') throw new Error(end.is)
  await purgePerson(user)
  expect(await (await readChunk(end.job.form.live, 0))?.text()).toBe('live')
  expect(await readIdentityJob(AOI)).toBeDefined()
})

test('a discarded check leaves no picture, and no check of another person changes', async () => {
  const ren = newId()
  await chooseDocument(ren, 'passport', NOW)
  const otherCheck = await readIdentity(ren)
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  await discardIdentity(AOI)
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await listMedia(defined(draft?.id))).toEqual([])
  for (const it of [draft?.front, draft?.back, draft?.live])
    expect(await readChunk(defined(it), 0)).toBeUndefined()
  expect(await readIdentity(ren)).toEqual(otherCheck)
})

test('a check that cannot be read is deleted with its pictures', async () => {
  await storeWholeCheck(AOI)
  const draft = await readIdentity(AOI)
  await transact(['identity'], 'readwrite', (tx) =>
    tx.objectStore('identity').put({ ...draft, documentKind: 'library_card' } as never),
  )
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').count())).toBe(0)
  expect(await listMedia(defined(draft?.id))).toEqual([])
  expect(await readChunk(defined(draft?.front), 0)).toBeUndefined()
})

test('a check without an id is deleted too', async () => {
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').put({ ownerId: AOI } as never))
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').count())).toBe(0)
})

test('reading where there is no check changes nothing', async () => {
  expect(await emitted(() => readIdentity(AOI))).toEqual([])
})

test('a finished check leaves a later check of the person', async () => {
  await storeWholeCheck(AOI)
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').delete(AOI))
  await chooseDocument(AOI, 'passport', NOW)
  const later = await readIdentity(AOI)
  await finishJob(job, 'check-1', NOW)
  expect(await readIdentity(AOI)).toEqual(later)
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').delete(AOI))
  await finishJob(job, 'check-1', NOW)
  expect(await readIdentity(AOI)).toBeUndefined()
})
