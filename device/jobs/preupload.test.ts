// Early upload on the device: what goes up of a draft belongs to it, and its submission takes it over.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { onChange, type Change } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { listDeliveries } from './deliveries.ts'
import { changeDraft, discardDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { beginEarly, holdEarly, readEarly } from './preupload.ts'
import { changeFacts, dropJob, finishJob, listJobs } from './jobs.ts'
import { submitStored } from '#device/testing/user.ts'
import { addMedia, removeMedia } from '#device/files/media.ts'
import type { Draft, JobFacts, Media, Protocol } from '#device/database/schema.ts'
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
const arrived = (mediaId: string) => (facts: JobFacts) => ({
  ...facts,
  media: facts.media.map((it) => (it.id === mediaId ? { ...it, acked: 10, begun: true, done: true } : it)),
})

test('files are put on their way once, and those picked later join them', async () => {
  const { draft, files } = await draftWith(1)
  await beginEarly(draft.id, AOI, NOW)
  await changeFacts(draft.id, arrived(files[0]?.id ?? ''))
  const second = await pick(draft)
  await beginEarly(draft.id, AOI, NOW + 1)
  const early = await readEarly(draft.id)
  expect(early?.facts.early).toBe(true)
  expect(early?.facts.media.map((it) => [it.id, it.done])).toEqual([
    [files[0]?.id, true],
    [second.id, false],
  ])
})

test('only the owner’s own draft goes up, only by the resumable protocol, and only before it is submitted', async () => {
  const { draft } = await draftWith(1)
  await beginEarly(draft.id, REN, NOW)
  expect(await readEarly(draft.id)).toBeUndefined()
  const legacy = await draftWith(1, 'chunked')
  await beginEarly(legacy.draft.id, AOI, NOW)
  expect(await readEarly(legacy.draft.id)).toBeUndefined()
  await submitStored(draft.id, AOI, NOW)
  await beginEarly(draft.id, AOI, NOW)
  expect(await readEarly(draft.id)).toBeUndefined()
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
  await beginEarly(draft.id, AOI, NOW)
  expect(await readEarly(draft.id)).toBeUndefined()
})

test('submitting takes over what went up, tries again what was refused, and lets go on what was held', async () => {
  const { draft, files } = await draftWith(2)
  const [first, second] = files
  await beginEarly(draft.id, AOI, NOW)
  await changeFacts(draft.id, arrived(first?.id ?? ''))
  await changeFacts(draft.id, (facts) => ({
    ...facts,
    media: facts.media.map((it) => (it.id === second?.id ? { ...it, failed: 'forbidden' } : it)),
    ending: { is: 'failed', code: 'forbidden' },
    attempts: 4,
    wait: { until: NOW + 60_000, told: false },
  }))
  await holdEarly(draft.id)
  await submitStored(draft.id, AOI, NOW)
  expect(await readEarly(draft.id)).toBeUndefined()
  const [job] = await listJobs(AOI)
  expect(job?.facts).toMatchObject({
    early: false,
    ending: { is: 'open' },
    attempts: 0,
    wait: { until: 0 },
    media: [
      { id: first?.id, done: true, acked: 10, paused: false },
      { id: second?.id, done: false, failed: null, paused: false },
    ],
  })
})

test('a wait that the server asked for holds for the submitted post too', async () => {
  const { draft } = await draftWith(1)
  await beginEarly(draft.id, AOI, NOW)
  const wait = { until: NOW + 60_000, told: true }
  await changeFacts(draft.id, (facts) => ({ ...facts, wait }))
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.facts.wait).toEqual(wait)
})

test('the post’s order is the draft’s, whatever order the files went up in', async () => {
  const { draft, files } = await draftWith(2)
  await beginEarly(draft.id, AOI, NOW)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.facts.media.map((it) => it.id)).toEqual(turned)
})

test('files go up in the order of the post, whatever their ids', async () => {
  const { draft, files } = await draftWith(4)
  const turned = files.map((it) => it.id).toReversed()
  await changeDraft(draft, (it) => ({ ...it, mediaIds: turned }), NOW)
  await beginEarly(draft.id, AOI, NOW)
  expect((await readEarly(draft.id))?.facts.media.map((it) => it.id)).toEqual(turned)
})

test('a file that is taken out is to be forgotten by the server, also by a job submitted before that was done', async () => {
  const { draft, files } = await draftWith(2)
  const [first, second] = files
  await beginEarly(draft.id, AOI, NOW)
  await changeFacts(draft.id, arrived(first?.id ?? ''))
  await removeMedia(draft, first?.id ?? '', NOW)
  const taken = (await readEarly(draft.id))?.facts.media.find((it) => it.id === first?.id)
  expect(taken).toMatchObject({ dropped: true, discard: true })
  await submitStored(draft.id, AOI, NOW)
  expect((await listJobs(AOI))[0]?.facts.media).toMatchObject([
    { id: second?.id, dropped: false, discard: false },
    { id: first?.id, dropped: true, discard: true },
  ])
})

test('a discarded draft leaves only the order to forget its files', async () => {
  const { draft } = await draftWith(2)
  await beginEarly(draft.id, AOI, NOW)
  await dropJob(draft.id)
  expect(await readEarly(draft.id)).toBeDefined()
  await discardDraft(draft.id, AOI)
  const early = await readEarly(draft.id)
  expect(early?.facts.ending).toEqual({ is: 'cancelled' })
  expect(early?.facts.media.every((it) => it.discard)).toBe(true)
  await dropJob(draft.id)
  expect(await readEarly(draft.id)).toBeUndefined()
})

test('submitted posts stand before what is sent early', async () => {
  const early = await draftWith(1)
  await beginEarly(early.draft.id, AOI, NOW)
  const posted = await draftWith(1)
  await submitStored(posted.draft.id, AOI, NOW + 1000)
  expect((await listDeliveries(AOI)).map((it) => it.id)).toEqual([posted.draft.id, early.draft.id])
  expect(await listDeliveries(REN)).toEqual([])
})

test('what is held already is not told of again', async () => {
  const { draft } = await draftWith(1)
  await beginEarly(draft.id, AOI, NOW)
  await holdEarly(draft.id)
  const heard: Change[] = []
  const deaf = onChange((change) => void heard.push(change))
  await holdEarly(draft.id)
  deaf()
  expect(heard).toEqual([])
  expect((await readEarly(draft.id))?.facts.media[0]).toMatchObject({ paused: true })
})
