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

test('files are put on their way once, and those picked later join them', async () => {
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

test('only the owner’s own draft goes up, only by the resumable protocol, and only before it is submitted', async () => {
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

test('nothing of a published post goes up again, though an old tab wrote its draft back', async () => {
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

test('submitting takes over what went up, tries again what was refused, and lets go on what was held', async () => {
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

test('a wait that the server asked for holds for the submitted post too', async () => {
  const { draft } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  const wait = { until: NOW + 60_000, told: true }
  await changeJob(draft.id, (job) => ({ ...job, wait }))
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.wait).toEqual(wait)
})

test('the post’s order is the draft’s, whatever order the files went up in', async () => {
  const { draft, files } = await draftWith(2)
  await beginPreupload(draft.id, AOI, NOW)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.files.map((it) => it.id)).toEqual(turned)
})

test('files go up in the order of the post, whatever their ids', async () => {
  const { draft, files } = await draftWith(4)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await beginPreupload(draft.id, AOI, NOW)
  expect((await readPreupload(draft.id))?.files.map((it) => it.id)).toEqual(turned)
})

test('a file that is taken out is to be forgotten by the server, also by a job submitted before that was done', async () => {
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

test('a discarded draft leaves only the order to forget its files', async () => {
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

test('submitted posts stand before what is sent early', async () => {
  const early = await draftWith(1)
  await beginPreupload(early.draft.id, AOI, NOW)
  const posted = await draftWith(1)
  await submitStored(posted.draft.id, AOI, NOW + 1000)
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([posted.draft.id, early.draft.id])
  expect(await listDeliveries(REN)).toEqual([])
})

test('what is held already is not told of again', async () => {
  const { draft } = await draftWith(1)
  await beginPreupload(draft.id, AOI, NOW)
  await pausePreupload(draft.id)
  const heard: Change[] = []
  const deaf = onChange((change) => void heard.push(change))
  await pausePreupload(draft.id)
  deaf()
  expect(heard).toEqual([])
  expect((await readPreupload(draft.id))?.files[0]?.state).toEqual({ is: 'paused', upload: null })
})
