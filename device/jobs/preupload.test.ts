// Preuploads on the device: they belong to their draft, and its submission takes them over.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { transact, closeDatabase } from '#device/database/database.ts'
import { changeDraft, discardDraft, readDraft } from '#device/drafts/drafts.ts'
import { removeMedia } from '#device/files/media.ts'
import { NOW, draftWith, addPicture, withSentFile } from '#device/testing/preuploads.ts'
import { submitStored } from '#device/testing/user.ts'
import { listDeliveries } from './deliveries.ts'
import { changeJob, dropJob, finishJob, listJobs } from './jobs.ts'
import { beginPreupload, pausePreupload, readPreupload } from './preupload.ts'
import type { JobFile } from './file-row.ts'

const AOI = newId()
const REN = newId()

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('files are queued once, and files picked later are added', async () => {
  const { draft, files } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, withSentFile(defined(files[0]?.id)))
  const second = await addPicture(draft)
  await beginPreupload(draft.id, AOI, NOW + 1)
  const preupload = await readPreupload(draft.id)
  expect(preupload?.files.map((it) => [it.id, it.state.is])).toEqual([
    [files[0]?.id, 'sent'],
    [second.id, 'waiting'],
  ])
})

test('only a draft of the owner is preuploaded, only by the resumable protocol, and only before its submission', async () => {
  const { draft } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, REN, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
  const legacy = await draftWith(AOI, 1, 'chunked')
  await beginPreupload(legacy.draft.id, AOI, NOW)
  expect(await readPreupload(legacy.draft.id)).toBeUndefined()
  await submitStored(draft.id, AOI, NOW)
  await beginPreupload(draft.id, AOI, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
})

test('no file of a published post is preuploaded again, even if an old tab wrote its draft back', async () => {
  const { draft, files } = await draftWith(AOI, 1)
  const stored = await readDraft(draft.id, AOI)
  await submitStored(draft.id, AOI, NOW)
  const [job] = await listJobs(AOI)
  if (!stored || !job) throw new Error('the draft was not submitted')
  await finishJob(job, newId(), NOW)
  await transact(['drafts', 'media'], 'readwrite', async (tx) => {
    await tx.objectStore('drafts').put(stored)
    for (const file of files) await tx.objectStore('media').put(file)
  })
  await beginPreupload(draft.id, AOI, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
})

test('a submission takes over sent files, sends refused files again, and resumes paused ones', async () => {
  const { draft, files } = await draftWith(AOI, 2)
  const [first, second] = files
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, withSentFile(defined(first?.id)))
  await changeJob(draft.id, (job) => {
    if (job.kind !== 'preupload') return job
    const refused = job.files.map((it): JobFile =>
      it.id === second?.id ? { ...it, state: { is: 'failed', code: 'forbidden', upload: null } } : it,
    )
    const wait = { until: NOW + 60_000, told: false }
    return { ...job, files: refused, stage: { is: 'failed', code: 'forbidden' }, attempts: 4, wait }
  })
  await pausePreupload(draft.id)
  await submitStored(draft.id, AOI, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
  const [job] = await listJobs(AOI)
  expect(job).toMatchObject({
    kind: 'post',
    stage: { is: 'open' },
    attempts: 0,
    wait: { until: 0 },
    files: [
      { id: first?.id, state: { is: 'sent' } },
      { id: second?.id, state: { is: 'waiting' } },
    ],
  })
})

test('a wait requested by the server applies to the submitted post too', async () => {
  const { draft } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, AOI, NOW)
  const wait = { until: NOW + 60_000, told: true }
  await changeJob(draft.id, (job) => ({ ...job, wait }))
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.wait).toEqual(wait)
})

test('a post has the file order of its draft, with any order of the preupload', async () => {
  const { draft, files } = await draftWith(AOI, 2)
  await beginPreupload(draft.id, AOI, NOW)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.files.map((it) => it.id)).toEqual(turned)
})

test('files are preuploaded in the order of the post, with any ids', async () => {
  const { draft, files } = await draftWith(AOI, 4)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.id)).toEqual(turned)
})

test('a removed file is discarded on the server, also by a job that is submitted before the discard', async () => {
  const { draft, files } = await draftWith(AOI, 2)
  const [first, second] = files
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, withSentFile(defined(first?.id)))
  await removeMedia(draft, defined(first?.id), NOW)
  const taken = (await readPreupload(draft.id))?.files.find((it) => it.id === first?.id)
  expect(taken?.state).toEqual({ is: 'discarding', url: null, next: 'remove' })
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.files).toMatchObject([
    { id: second?.id, state: { is: 'waiting' } },
    { id: first?.id, state: { is: 'discarding', next: 'remove' } },
  ])
})

test('a discarded draft leaves only a preupload that discards its files', async () => {
  const { draft } = await draftWith(AOI, 2)
  await beginPreupload(draft.id, AOI, NOW)
  await dropJob(draft.id)
  expect(await readPreupload(draft.id)).toBeDefined()
  await discardDraft(draft.id, AOI)
  const preupload = await readPreupload(draft.id)
  expect(preupload?.stage).toEqual({ is: 'cancelled' })
  expect(preupload?.files.every((it) => it.state.is === 'discarding')).toBe(true)
  await dropJob(draft.id)
  expect(await readPreupload(draft.id)).toBeUndefined()
})

test('submitted posts are listed before preuploads', async () => {
  const early = await draftWith(AOI, 1)
  await beginPreupload(early.draft.id, AOI, NOW)
  const posted = await draftWith(AOI, 1)
  await submitStored(posted.draft.id, AOI, NOW + 1000)
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([posted.draft.id, early.draft.id])
  expect(await listDeliveries(REN)).toEqual([])
})
