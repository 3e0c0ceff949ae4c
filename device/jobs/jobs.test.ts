// Jobs on the device: how durably they are written, and when they are dropped.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { readChunk, storeChunks } from '#device/files/chunks.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft, listDrafts, readDraft } from '#device/drafts/drafts.ts'
import { changeJob, dropFile, dropJob, finishJob, listJobs } from './jobs.ts'
import { addMedia } from '#device/files/media.ts'
import type { FileJob, Job, PostJob } from './job-rows.ts'
import type { Draft } from '#device/database/schema.ts'
import { changesDuring } from '#device/testing/changes.ts'
import { submitStored } from '#device/testing/user.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
const POST = { id: 'p1', videoId: null }
/** The request that adds the post was sent. */
const requested = (job: FileJob): FileJob =>
  job.kind === 'post' ? { ...job, stage: { is: 'requested' } } : job
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

async function submitted(content = '朝の海'): Promise<Job> {
  const base = emptyDraft(AOI, NOW)
  await changeDraft(base, (it) => ({ ...it, content }), NOW)
  await submitStored(base.id, AOI, NOW)
  const job = (await listJobs(AOI)).find((it) => it.id === base.id)
  if (!job) throw new Error('no job')
  return job
}

/** Durabilities of the write transactions of `work`, in their order. */
async function durabilitiesOf(work: () => Promise<unknown>): Promise<(string | undefined)[]> {
  const opened = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await work()
  const calls = opened.mock.calls.map(([, mode, options]) => [mode, options?.durability] as const)
  opened.mockRestore()
  return calls.flatMap(([mode, durability]) => (mode === 'readwrite' ? [durability] : []))
}

test('a submission, a reply of the server and a receipt are written strictly', async () => {
  const draft = await changeDraft(emptyDraft(AOI, NOW), (it) => ({ ...it, content: '朝の海' }), NOW)
  if (!draft) throw new Error('the draft was not stored')
  const written = await durabilitiesOf(async () => {
    await submitStored(draft.id, AOI, NOW)
    const job = await changeJob(draft.id, requested)
    await finishJob(job as Job, 'post-1', NOW)
  })
  expect(written).toEqual(['strict', 'strict', 'strict'])
})

test('a priced or plan post takes title and introduction from its draft, and one for everyone leaves them there', async () => {
  const titled = async (type: 1 | 3) => {
    const base = emptyDraft(AOI, NOW)
    const texts = { content: '本文', title: ' 題 ', introduction: '紹介' }
    await changeDraft(base, (it) => ({ ...it, ...texts, type, price: '500' }), NOW)
    await submitStored(base.id, AOI, NOW)
    const job = (await listJobs(AOI)).find((it) => it.id === base.id)
    const draft = await readDraft(base.id, AOI)
    return [job?.kind === 'post' && [job.form.title, job.form.introduction], draft?.title]
  }
  expect(await titled(3)).toEqual([['題', '紹介'], ' 題 '])
  expect(await titled(1)).toEqual([['', ''], ' 題 '])
})

test('a released post and its receipt are announced', async () => {
  const job = await submitted()
  expect(await changesDuring(() => finishJob(job, 'post-1', NOW))).toEqual([
    { store: 'jobs', id: job.id },
    { store: 'receipts', id: job.id },
  ])
})

test('values that can be requested again are written relaxed', async () => {
  const job = await submitted()
  const offset = () => changeJob(job.id, (it) => ({ ...it, attempts: 1 }), 'relaxed')
  expect(await durabilitiesOf(offset)).toEqual(['relaxed'])
})

test('a job whose post is released is not dropped, because its draft could be posted again', async () => {
  const job = await submitted()
  await changeJob(job.id, (it) =>
    it.kind === 'post' ? { ...it, stage: { is: 'released', post: POST, at: NOW } } : it,
  )
  await dropJob(job.id)
  expect((await listJobs(AOI)).map((it) => it.id)).toEqual([job.id])
  expect(await listDrafts(AOI)).toEqual([])
})

test('fields of another version of the app stay in the row when it changes', async () => {
  const job = await submitted()
  await transact(['jobs'], 'readwrite', async (tx) => {
    const raw = await tx.objectStore('jobs').get(job.id)
    await tx.objectStore('jobs').put({ ...raw, later: 'field' } as unknown as Job)
  })
  await changeJob(job.id, requested)
  const raw = await transact(['jobs'], 'readonly', (tx) => tx.objectStore('jobs').get(job.id))
  expect(raw).toMatchObject({ later: 'field', stage: { is: 'requested' } })
})

/** A submitted post with files of three bytes. */
async function withFiles(count: number): Promise<{ draft: Draft; fileIds: string[] }> {
  const draft = emptyDraft(AOI, NOW)
  const fileIds: string[] = []
  for (let i = 0; i < count; i++) {
    const media = pictureRow(draft)
    fileIds.push(media.id)
    await addMedia(draft, media, NOW)
    await storeChunks({
      mediaId: media.id,
      index: 0,
      size: 3,
      sha256: new Uint8Array(32),
      bytes: new ArrayBuffer(3),
    })
  }
  await submitStored(draft.id, AOI, NOW)
  return { draft, fileIds }
}

const storedOf = async (fileIds: readonly string[]) =>
  (await Promise.all(fileIds.map((id) => readChunk(id, 0)))).map((it) => it !== undefined)

test('a file removed from a job is removed from its draft, with its bytes', async () => {
  const { draft, fileIds } = await withFiles(2)
  const [first = '', second = ''] = fileIds
  const without = (job: PostJob) => ({ ...job, files: job.files.filter((it) => it.id !== first) })
  await dropFile(draft.id, first, without)
  expect((await readDraft(draft.id, AOI))?.mediaIds).toEqual([second])
  expect(await storedOf(fileIds)).toEqual([false, true])
})

test('removing the last file cancels the job: the draft retains the file and its bytes', async () => {
  const { draft, fileIds } = await withFiles(1)
  await dropFile(draft.id, defined(fileIds[0]), (job) => ({ ...job, stage: { is: 'cancelled', post: null } }))
  expect((await listJobs(AOI))[0]?.stage).toEqual({ is: 'cancelled', post: null })
  expect((await readDraft(draft.id, AOI))?.mediaIds).toEqual(fileIds)
  expect(await storedOf(fileIds)).toEqual([true])
})
