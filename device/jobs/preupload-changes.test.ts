// Begin, pause and removal of preuploads, and the changes that they emit.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { transact, closeDatabase } from '#device/database/database.ts'
import { removeMedia } from '#device/files/media.ts'
import { changesDuring } from '#device/testing/changes.ts'
import { NOW, draftWith, addPicture, withSentFile } from '#device/testing/preuploads.ts'
import { submitStored } from '#device/testing/user.ts'
import { changeJob, finishJob, listJobs } from './jobs.ts'
import { beginPreupload, pausePreupload, readPreupload } from './preupload.ts'
import type { JobFile } from './file-row.ts'

const AOI = newId()
const REN = newId()

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

/** The stores of the changes that `work` emits about this draft. */
async function emitted(draftId: string, work: () => Promise<unknown>): Promise<string[]> {
  const changes = await changesDuring(work)
  expect(changes.every((it) => 'id' in it && it.id === draftId)).toBe(true)
  return changes.map((it) => it.store)
}

test('pausing a paused preupload emits nothing', async () => {
  const { draft } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, AOI, NOW)
  await pausePreupload(draft.id)
  expect(await changesDuring(() => pausePreupload(draft.id))).toEqual([])
  expect((await readPreupload(draft.id))?.files[0]?.state).toEqual({ is: 'paused', upload: null })
})

test('a paused preupload resumes when it begins again, from the server’s offset', async () => {
  const { draft, files } = await draftWith(AOI, 3)
  await beginPreupload(draft.id, AOI, NOW)
  const upload = { acked: 4, url: '/uploads/1' }
  await changeJob(draft.id, withSentFile(defined(files[0]?.id)))
  await changeJob(draft.id, (job) => ({
    ...job,
    files: job.files.map((it): JobFile =>
      it.id === files[1]?.id ? { ...it, state: { is: 'sending', upload } } : it,
    ),
  }))
  await pausePreupload(draft.id)
  expect((await readPreupload(draft.id))?.files.map((it) => it.state)).toEqual([
    { is: 'sent', url: null },
    { is: 'paused', upload },
    { is: 'paused', upload: null },
  ])
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.state)).toEqual([
    { is: 'sent', url: null },
    { is: 'sending', upload },
    { is: 'waiting' },
  ])
})

test('resuming leaves refused files as they are, and a begun preupload emits no further change', async () => {
  const { draft, files } = await draftWith(AOI, 2)
  await beginPreupload(draft.id, AOI, NOW)
  const refused = { is: 'failed', code: 'forbidden', upload: null } as const
  await changeJob(draft.id, (job) => ({
    ...job,
    files: job.files.map((it): JobFile => (it.id === files[0]?.id ? { ...it, state: refused } : it)),
  }))
  await pausePreupload(draft.id)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.state)).toEqual([refused, { is: 'waiting' }])
  expect(await changesDuring(() => beginPreupload(draft.id, AOI, NOW))).toEqual([])
})

test('a preupload begins open and without failures, and is emitted when it begins and when it is paused', async () => {
  const { draft, files } = await draftWith(AOI, 1)
  expect(await emitted(draft.id, () => beginPreupload(draft.id, AOI, NOW))).toEqual(['early'])
  expect(await readPreupload(draft.id)).toEqual({
    kind: 'preupload',
    id: draft.id,
    ownerId: AOI,
    files: [{ id: files[0]?.id, size: 10, state: { is: 'waiting' }, resends: { digest: 0, gone: 0 } }],
    stage: { is: 'open' },
    attempts: 0,
    wait: { until: 0, told: false },
    createdAt: NOW,
  })
  expect(await emitted(draft.id, () => pausePreupload(draft.id))).toEqual(['early'])
})

test('a draft that is not preuploaded emits nothing', async () => {
  const [{ draft }, legacy] = [await draftWith(AOI, 1), await draftWith(AOI, 1, 'chunked')]
  expect(await emitted(draft.id, () => beginPreupload(draft.id, REN, NOW))).toEqual([])
  expect(await emitted(legacy.draft.id, () => beginPreupload(legacy.draft.id, AOI, NOW))).toEqual([])
  const unstored = newId()
  expect(await emitted(unstored, () => beginPreupload(unstored, AOI, NOW))).toEqual([])
  expect(await readPreupload(unstored)).toBeUndefined()
  await submitStored(draft.id, AOI, NOW)
  expect(await emitted(draft.id, () => beginPreupload(draft.id, AOI, NOW))).toEqual([])
  const [job] = await listJobs(AOI)
  if (job) await finishJob(job, newId(), NOW)
  expect(await emitted(draft.id, () => beginPreupload(draft.id, AOI, NOW))).toEqual([])
})

test('a paused preupload whose files were deleted from the device does not resume', async () => {
  const { draft, files } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, AOI, NOW)
  await pausePreupload(draft.id)
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(defined(files[0]?.id)))
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files[0]?.state).toEqual({ is: 'paused', upload: null })
})

test('removing a file discards it only where it was preuploaded', async () => {
  const { draft, files } = await draftWith(AOI, 1)
  await beginPreupload(draft.id, AOI, NOW)
  const later = await addPicture(draft)
  const before = await readPreupload(draft.id)
  await changeJob(draft.id, (job) =>
    job.kind === 'preupload' ? { ...job, stage: { is: 'failed', code: 'forbidden' } } : job,
  )
  expect(await emitted(draft.id, () => removeMedia(draft, later.id, NOW))).toEqual(['drafts'])
  expect(await readPreupload(draft.id)).toEqual({ ...before, stage: { is: 'failed', code: 'forbidden' } })
  const first = defined(files[0]?.id)
  expect(await emitted(draft.id, () => removeMedia(draft, first, NOW))).toEqual(['drafts', 'early'])
  expect(await readPreupload(draft.id)).toMatchObject({
    files: [{ id: first, state: { is: 'discarding', next: 'remove' } }],
    stage: { is: 'open' },
  })
})
