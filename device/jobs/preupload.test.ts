// Preuploads on the device: they belong to their draft, and its submission takes them over.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { onChange, type Change } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { listDeliveries } from './deliveries.ts'
import { changeDraft, discardDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { beginPreupload, pausePreupload, readPreupload } from './preupload.ts'
import { changeJob, dropJob, finishJob, listJobs } from './jobs.ts'
import { submitStored } from '#device/testing/user.ts'
import { addMedia, removeMedia } from '#device/files/media.ts'
import type { JobFile } from './file-row.ts'
import type { FileJob, Protocol } from './job-rows.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

async function draftWith(
  count: number,
  protocol: Protocol = 'tus',
): Promise<{ draft: Draft; files: Media[] }> {
  const base = emptyDraft(AOI, NOW, protocol)
  await changeDraft(base, (it) => ({ ...it, content: '朝の海' }), NOW)
  const files: Media[] = []
  for (let i = 0; i < count; i++) files.push(await pick(base))
  return { draft: base, files }
}

async function pick(draft: Draft): Promise<Media> {
  const media = pictureRow(draft, { size: 10, bytes: { is: 'stored', digest: '' } })
  await addMedia(draft, media, NOW)
  return media
}

/** The server has this file whole. */
const arrived = (mediaId: string) => (job: FileJob) => {
  const files = job.files.map((it): JobFile =>
    it.id === mediaId ? { ...it, state: { is: 'sent', url: null } } : it,
  )
  return { ...job, files }
}

test('files are queued once, and files picked later join them', async () => {
  const { draft, files } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, arrived(files[0]?.id ?? ''))
  const second = await pick(draft)
  await beginPreupload(draft.id, AOI, NOW + 1)
  const preupload = await readPreupload(draft.id)
  expect(preupload?.files.map((it) => [it.id, it.state.is])).toEqual([
    [files[0]?.id, 'sent'],
    [second.id, 'waiting'],
  ])
})

test('only a draft of the owner is preuploaded, only by the resumable protocol, and only before its submission', async () => {
  const { draft } = await draftWith(1)
  await beginPreupload(draft.id, REN, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
  const legacy = await draftWith(1, 'chunked')
  await beginPreupload(legacy.draft.id, AOI, NOW)
  expect(await readPreupload(legacy.draft.id)).toBeUndefined()
  await submitStored(draft.id, AOI, NOW)
  await beginPreupload(draft.id, AOI, NOW)
  expect(await readPreupload(draft.id)).toBeUndefined()
})

test('no file of a published post is preuploaded again, even if an old tab wrote its draft back', async () => {
  const { draft, files } = await draftWith(1)
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
  const { draft, files } = await draftWith(2)
  const [first, second] = files
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, arrived(first?.id ?? ''))
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
  const { draft } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  const wait = { until: NOW + 60_000, told: true }
  await changeJob(draft.id, (job) => ({ ...job, wait }))
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.wait).toEqual(wait)
})

test('a post has the file order of its draft, whatever order they were preuploaded in', async () => {
  const { draft, files } = await draftWith(2)
  await beginPreupload(draft.id, AOI, NOW)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.files.map((it) => it.id)).toEqual(turned)
})

test('files are preuploaded in the order of the post, whatever their ids', async () => {
  const { draft, files } = await draftWith(4)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.id)).toEqual(turned)
})

test('a file that is taken out is discarded on the server, also by a job submitted before that was done', async () => {
  const { draft, files } = await draftWith(2)
  const [first, second] = files
  await beginPreupload(draft.id, AOI, NOW)
  await changeJob(draft.id, arrived(first?.id ?? ''))
  await removeMedia(draft, first?.id ?? '', NOW)
  const taken = (await readPreupload(draft.id))?.files.find((it) => it.id === first?.id)
  expect(taken?.state).toEqual({ is: 'discarding', url: null, next: 'remove' })
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.files).toMatchObject([
    { id: second?.id, state: { is: 'waiting' } },
    { id: first?.id, state: { is: 'discarding', next: 'remove' } },
  ])
})

test('a discarded draft leaves only a preupload that discards its files', async () => {
  const { draft } = await draftWith(2)
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
  const early = await draftWith(1)
  await beginPreupload(early.draft.id, AOI, NOW)
  const posted = await draftWith(1)
  await submitStored(posted.draft.id, AOI, NOW + 1000)
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([posted.draft.id, early.draft.id])
  expect(await listDeliveries(REN)).toEqual([])
})

test('pausing a paused preupload emits nothing', async () => {
  const { draft } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  await pausePreupload(draft.id)
  const changes: Change[] = []
  const stop = onChange((change) => void changes.push(change))
  await pausePreupload(draft.id)
  stop()
  expect(changes).toEqual([])
  expect((await readPreupload(draft.id))?.files[0]?.state).toEqual({ is: 'paused', upload: null })
})

test('a paused preupload resumes when it begins again, from what the server has', async () => {
  const { draft, files } = await draftWith(3)
  await beginPreupload(draft.id, AOI, NOW)
  const upload = { acked: 4, url: '/uploads/1' }
  await changeJob(draft.id, arrived(files[0]?.id ?? ''))
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
  const { draft, files } = await draftWith(2)
  await beginPreupload(draft.id, AOI, NOW)
  const refused = { is: 'failed', code: 'forbidden', upload: null } as const
  await changeJob(draft.id, (job) => ({
    ...job,
    files: job.files.map((it): JobFile => (it.id === files[0]?.id ? { ...it, state: refused } : it)),
  }))
  await pausePreupload(draft.id)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.state)).toEqual([refused, { is: 'waiting' }])
  const changes: Change[] = []
  const stop = onChange((change) => void changes.push(change))
  await beginPreupload(draft.id, AOI, NOW)
  stop()
  expect(changes).toEqual([])
})

/** The stores of the changes that `work` emits about this draft. */
async function emitted(draftId: string, work: () => Promise<unknown>): Promise<string[]> {
  const changes: Change[] = []
  const stop = onChange((change) => void changes.push(change))
  await work()
  stop()
  expect(changes.every((it) => 'id' in it && it.id === draftId)).toBe(true)
  return changes.map((it) => it.store)
}

test('a preupload begins open and without failures, and is emitted when it begins and when it is paused', async () => {
  const { draft, files } = await draftWith(1)
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
  const [{ draft }, legacy] = [await draftWith(1), await draftWith(1, 'chunked')]
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

test('a paused preupload whose files are gone from the device does not resume', async () => {
  const { draft, files } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  await pausePreupload(draft.id)
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(files[0]?.id ?? ''))
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files[0]?.state).toEqual({ is: 'paused', upload: null })
})

test('removing a file discards it only where it was preuploaded', async () => {
  const { draft, files } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  const later = await pick(draft)
  const before = await readPreupload(draft.id)
  await changeJob(draft.id, (job) =>
    job.kind === 'preupload' ? { ...job, stage: { is: 'failed', code: 'forbidden' } } : job,
  )
  expect(await emitted(draft.id, () => removeMedia(draft, later.id, NOW))).toEqual(['drafts'])
  expect(await readPreupload(draft.id)).toEqual({ ...before, stage: { is: 'failed', code: 'forbidden' } })
  const first = files[0]?.id ?? ''
  expect(await emitted(draft.id, () => removeMedia(draft, first, NOW))).toEqual(['drafts', 'early'])
  expect(await readPreupload(draft.id)).toMatchObject({
    files: [{ id: first, state: { is: 'discarding', next: 'remove' } }],
    stage: { is: 'open' },
  })
})
