// Files of an unsent message: picked, removed, submitted once, and deleted with the message.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { transact } from '#device/database/database.ts'
import type { Media } from '#device/database/schema.ts'
import { sealMedia, storeChunks } from '#device/files/chunks.ts'
import { recordChanges } from '#device/testing/changes.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { changeJob, dropJob, finishJob, listJobs } from './jobs.ts'
import {
  addMessageFile,
  type Between,
  listSendingMessages,
  openMessageDraft,
  readMessageDraft,
  removeMessageFile,
  submitMessageDraft,
} from './message.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const [AOI, REN, MEI] = [newId(), newId(), newId()]
const toRen: Between = { ownerId: AOI, recipientId: REN }
const words = { content: '夕焼け', replyTo: null, about: '蓮' }
const changes = recordChanges({ beforeEach, afterEach })

/** Picks a picture for a conversation. @param more what differs in its row */
async function pick(between = toRen, more: Partial<Media> = {}): Promise<Media> {
  const draft = await openMessageDraft(between, NOW)
  const bytes = { is: 'stored', digest: 'd' } as const
  const media: Media = {
    ...pictureRow({ id: draft.id, ownerId: between.ownerId, createdAt: NOW }),
    bytes,
    ...more,
  }
  await addMessageFile(media)
  return media
}

const counts = () =>
  transact(['messageDrafts', 'media', 'chunks', 'jobs'], 'readonly', async (tx) => ({
    drafts: await tx.objectStore('messageDrafts').count(),
    media: await tx.objectStore('media').count(),
    chunks: await tx.objectStore('chunks').count(),
    jobs: await tx.objectStore('jobs').count(),
  }))

/** The files on screen. */
const shown = async (between = toRen) => (await readMessageDraft(between))?.media ?? []

const submit = async (between = toRen, now = NOW) =>
  submitMessageDraft(between, words, await shown(between), now)

async function submitted(between = toRen, now = NOW) {
  const end = await submit(between, now)
  if (end.is !== 'submitted') throw new Error(end.is)
  return end.job
}

test('picked files are listed in the order in which they were picked, for their conversation alone', async () => {
  const [first, second] = [await pick(), await pick()]
  await pick({ ownerId: AOI, recipientId: MEI })
  await pick({ ownerId: MEI, recipientId: REN })
  expect((await readMessageDraft(toRen))?.media.map((it) => it.id)).toEqual([first.id, second.id])
  expect(await readMessageDraft({ ownerId: REN, recipientId: AOI })).toBeUndefined()
})

test('a removed file leaves the draft and the device, and the last one ends the draft', async () => {
  const [first, second] = [await pick(), await pick()]
  await removeMessageFile(first.draftId, first.id)
  await removeMessageFile(first.draftId, first.id)
  expect((await readMessageDraft(toRen))?.draft.mediaIds).toEqual([second.id])
  await removeMessageFile(second.draftId, second.id)
  expect(await counts()).toEqual({ drafts: 0, media: 0, chunks: 0, jobs: 0 })
  expect(await addMessageFile(first), 'a draft that has ended takes no file').toBe(false)
})

test('each file that is picked or removed is announced, and none for a draft that has ended', async () => {
  const media = await pick()
  const change = { store: 'messageDrafts', id: media.draftId }
  const [second, third] = [newId(), newId()].map((id) => ({ ...media, id }) satisfies Media)
  if (!second || !third) throw new Error('no files')
  changes.length = 0
  expect(await addMessageFile(second)).toBe(true)
  expect(changes).toEqual([change])
  await removeMessageFile(media.draftId, media.id)
  await removeMessageFile(media.draftId, second.id)
  expect(changes).toEqual([change, change, change])
  expect(await addMessageFile(third)).toBe(false)
  await removeMessageFile(media.draftId, third.id)
  expect(changes).toHaveLength(3)
})

test('removing a file that a draft does not have deletes no file of another draft', async () => {
  const media = await pick()
  const other = await pick({ ownerId: AOI, recipientId: MEI })
  await removeMessageFile(media.draftId, other.id)
  expect((await shown({ ownerId: AOI, recipientId: MEI })).map((it) => it.id)).toEqual([other.id])
  expect((await shown()).map((it) => it.id)).toEqual([media.id])
})

test('a submission makes a job of the picked files in their order, and pages are notified', async () => {
  const [first, second] = [await pick(), await pick()]
  changes.length = 0
  const job = await submitted()
  expect(job).toMatchObject({
    kind: 'message',
    id: first.draftId,
    key: first.draftId,
    ownerId: AOI,
    form: { recipientId: REN, content: '夕焼け', replyTo: null, about: '蓮' },
    stage: { is: 'open' },
  })
  expect(job.files.map((it) => [it.id, it.state])).toEqual([
    [first.id, { is: 'waiting' }],
    [second.id, { is: 'waiting' }],
  ])
  expect(changes).toEqual([
    { store: 'jobs', id: job.id },
    { store: 'messageDrafts', id: job.id },
  ])
  expect(await listJobs(AOI)).toEqual([job])
  expect(await counts()).toMatchObject({ drafts: 0, media: 2, jobs: 1 })
})

test('a second press changes nothing, and later files belong to the next message', async () => {
  await pick()
  const files = await shown()
  const job = await submitted()
  expect(await submitMessageDraft(toRen, words, files, NOW)).toEqual({ is: 'already' })
  const next = await pick()
  expect(next.draftId).not.toBe(job.id)
  expect(await counts()).toMatchObject({ drafts: 1, jobs: 1 })
})

test.each<[string, Partial<Media>]>([
  ['is still being copied', { bytes: { is: 'copying', stored: 0 } }],
  ['waits for its conversion', { conversion: { is: 'pending', format: 'heic', keepSize: false, tries: 0 } }],
  [
    'could not be converted',
    { conversion: { is: 'failed', format: 'heic', keepSize: false, why: 'unconvertible' } },
  ],
])('a message is not submitted while a file %s', async (_why, more) => {
  await pick()
  await pick(toRen, more)
  expect(await submit()).toEqual({ is: 'incomplete' })
  expect(await counts()).toMatchObject({ drafts: 1, jobs: 0 })
})

test('files that are not on screen are not sent: the screen is read again', async () => {
  await pick()
  const files = await shown()
  const added = await pick()
  changes.length = 0
  expect(await submitMessageDraft(toRen, words, files, NOW)).toEqual({ is: 'changed' })
  expect(changes).toEqual([{ store: 'messageDrafts', id: added.draftId }])
  await removeMessageFile(added.draftId, added.id)
  expect((await submitMessageDraft(toRen, words, files, NOW)).is).toBe('submitted')
})

test('a message is not submitted without a file that was on screen; the others can be sent', async () => {
  const [lost, other] = [await pick(), await pick()]
  const files = await shown()
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(lost.id))
  expect(await submitMessageDraft(toRen, words, files, NOW)).toEqual({ is: 'changed' })
  expect((await submitted()).files.map((it) => it.id)).toEqual([other.id])
})

test('files that the browser has cleared are missing, also when others were picked since', async () => {
  await pick()
  const files = await shown()
  await transact(['messageDrafts', 'media'], 'readwrite', async (tx) => {
    await tx.objectStore('messageDrafts').clear()
    await tx.objectStore('media').clear()
  })
  expect(await submitMessageDraft(toRen, words, files, NOW)).toEqual({ is: 'missing' })
  await pick()
  expect(await submitMessageDraft(toRen, words, files, NOW)).toEqual({ is: 'missing' })
  expect(await counts()).toMatchObject({ drafts: 1, media: 1, jobs: 0 })
})

test('a delivered message is deleted with its files and leaves no receipt', async () => {
  const media = await pick(toRen, { bytes: { is: 'copying', stored: 0 } })
  await storeChunks({
    mediaId: media.id,
    index: 0,
    size: 3,
    sha256: new Uint8Array(32),
    bytes: new ArrayBuffer(3),
  })
  await sealMedia(media.id, 'd')
  const job = await submitted()
  expect(await counts()).toMatchObject({ media: 1, chunks: 1 })
  changes.length = 0
  await finishJob(job, 'm1', NOW)
  expect(changes).toEqual([{ store: 'jobs', id: job.id }])
  expect(await counts()).toEqual({ drafts: 0, media: 0, chunks: 0, jobs: 0 })
  expect(await transact(['receipts'], 'readonly', (tx) => tx.objectStore('receipts').count())).toBe(0)
})

test('a cancelled or refused message is deleted with its files; one that is being sent stays', async () => {
  await pick()
  const job = await submitted()
  await dropJob(job.id)
  expect(await counts()).toMatchObject({ media: 1, jobs: 1 })
  await changeJob(job.id, (it) =>
    it.kind === 'message' ? { ...it, stage: { is: 'failed', code: 'forbidden' } } : it,
  )
  await dropJob(job.id)
  expect(await counts()).toEqual({ drafts: 0, media: 0, chunks: 0, jobs: 0 })
})

test('messages that are being sent are listed for their conversation, oldest first, with their files', async () => {
  // The ids of this device are in the order of their time; those of an earlier clock are not.
  const media = await pick()
  const later = await submitted(toRen, NOW + 1)
  await pick({ ownerId: AOI, recipientId: MEI })
  await submitted({ ownerId: AOI, recipientId: MEI })
  await pick()
  const earlier = await submitted()
  const listed = await listSendingMessages(toRen)
  expect(listed.map((it) => it.job.id)).toEqual([earlier.id, later.id])
  expect(listed[1]?.media.map((it) => it.id)).toEqual([media.id])
})
