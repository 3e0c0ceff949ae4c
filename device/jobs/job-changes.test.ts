// The changes that jobs emit, the forms of submitted drafts, and receipts.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import type { Draft, Media, Receipt } from '#device/database/schema.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import { addMedia } from '#device/files/media.ts'
import { beginPreupload } from './preupload.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { submitStored } from '#device/testing/user.ts'
import {
  changeJob,
  claimReceipt,
  dropFile,
  dropJob,
  findReceipt,
  finishJob,
  listJobs,
  unshownReceipts,
} from './jobs.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

let seen: Change[] = []
let stop = () => {}
beforeEach(() => {
  seen = []
  stop = onChange((change) => seen.push(change))
})
afterEach(async () => {
  stop()
  await closeDatabase()
  await deleteDB('todoke')
})

/** The stores of the changes that `work` emits, in their order. Each has to be about this id. */
async function emitted(id: string, work: () => Promise<unknown>): Promise<string[]> {
  seen = []
  await work()
  expect(seen.every((it) => it.store !== 'session' && it.id === id)).toBe(true)
  return seen.map((it) => it.store)
}

async function written(content = '朝の海', change: Partial<Media>[] = []): Promise<Draft> {
  const draft = emptyDraft(AOI, NOW)
  await changeDraft(draft, (it) => ({ ...it, content }), NOW)
  for (const it of change)
    await addMedia(draft, pictureRow(draft, { bytes: { is: 'stored', digest: 'a' }, ...it }), NOW)
  return draft
}

async function submitted(content?: string, files?: Partial<Media>[]) {
  const draft = await written(content, files)
  await submitStored(draft.id, AOI, NOW)
  const job = (await listJobs(AOI)).find((it) => it.id === draft.id)
  if (job?.kind !== 'post') throw new Error('no job')
  return job
}

test('a submission emits a job and a draft, a second press emits nothing', async () => {
  const { id } = await written()
  expect(await emitted(id, () => submitStored(id, AOI, NOW))).toEqual(['jobs', 'drafts'])
  expect(await emitted(id, () => submitStored(id, AOI, NOW))).toEqual([])
})

test('a job is emitted only when it has changed', async () => {
  const { id } = await submitted()
  expect(await emitted(id, () => changeJob(id, (it) => ({ ...it, attempts: 1 })))).toEqual(['jobs'])
  expect(await emitted(id, () => changeJob(id, (it) => it))).toEqual([])
  expect(await emitted(id, () => changeJob(newId(), (it) => ({ ...it, attempts: 2 })))).toEqual([])
})

test('a released job emits a job and a receipt', async () => {
  const job = await submitted()
  expect(await emitted(job.id, () => finishJob(job, 'post-1', NOW))).toEqual(['jobs', 'receipts'])
  expect(await findReceipt(job.id)).toMatchObject({
    kind: 'post',
    ownerId: AOI,
    postId: 'post-1',
    told: false,
  })
  expect(await findReceipt(newId())).toBeUndefined()
})

test('a dropped job that has ended emits its draft too; an open one stays and emits nothing', async () => {
  const job = await submitted()
  expect(await emitted(job.id, () => dropJob(job.id))).toEqual([])
  expect(await listJobs(AOI)).toHaveLength(1)
  await changeJob(job.id, (it) =>
    it.kind === 'post' ? { ...it, stage: { is: 'failed', code: 'invalid', post: null } } : it,
  )
  expect(await emitted(job.id, () => dropJob(job.id))).toEqual(['jobs', 'drafts', 'identity'])
  expect(await emitted(job.id, () => dropJob(job.id))).toEqual([])
})

test('a file that cannot be removed changes neither job nor draft', async () => {
  const job = await submitted('朝の海', [{}, {}])
  const [first] = job.files
  expect(await emitted(job.id, () => dropFile(job.id, defined(first?.id), (it) => it))).toEqual([])
  expect(await emitted(job.id, () => dropFile(newId(), defined(first?.id), (it) => ({ ...it })))).toEqual([])
  const without = () => dropFile(job.id, defined(first?.id), (it) => ({ ...it, attempts: 1 }))
  expect(await emitted(job.id, without)).toEqual(['jobs'])
})

test('the form of a job has the content and media kind of its post', async () => {
  expect((await submitted()).form).toMatchObject({ content: '朝の海', kind: 'none', duration: null })
  expect((await submitted('絵', [{}, {}])).form).toMatchObject({ kind: 'images', duration: null })
  const film = { kind: 'video', mime: 'video/mp4', name: 'a.mp4', duration: 12 } as const
  expect((await submitted('動画', [film])).form).toMatchObject({ kind: 'video', duration: 12 })
})

test('jobs are listed oldest first, those of one moment by their ids', async () => {
  const drafts = [await written('いち'), await written('に'), await written('さん')]
  const [one, two, three] = drafts.map((it) => it.id) as [string, string, string]
  await submitStored(three, AOI, NOW)
  await submitStored(two, AOI, NOW + 1)
  await submitStored(one, AOI, NOW + 1)
  expect((await listJobs(AOI)).map((it) => it.id)).toEqual([three, ...[one, two].toSorted()])
})

test('a receipt is claimed once; the last 500 shown receipts stay, and all that are not shown', async () => {
  const receipts = Array.from({ length: 502 }, (_, index): Receipt => {
    const ids = { id: newId(), ownerId: AOI, postId: `post-${index}` }
    return { kind: 'post', ...ids, releasedAt: NOW + index, told: index !== 1 && index !== 501 }
  })
  await transact(['receipts'], 'readwrite', async (tx) => {
    for (const it of receipts) await tx.objectStore('receipts').put(it)
  })
  const [oldest, untold, ...others] = receipts.map((it) => it.id) as [string, string, ...string[]]
  const last = defined(others.at(-1))
  expect((await unshownReceipts(AOI)).map((it) => it.id).toSorted()).toEqual([untold, last].toSorted())
  expect([await claimReceipt(last), await claimReceipt(last)]).toEqual([true, false])
  expect(await claimReceipt(newId())).toBe(false)
  expect(await findReceipt(oldest)).toBeUndefined()
  expect((await unshownReceipts(AOI)).map((it) => it.id)).toEqual([untold])
  expect(await findReceipt(defined(others[0]))).toBeDefined()
})

test('a changed preupload is emitted as a preupload', async () => {
  const { id } = await written('朝の海', [{}])
  await beginPreupload(id, AOI, NOW)
  expect(await emitted(id, () => changeJob(id, (it) => ({ ...it, attempts: 1 })))).toEqual(['early'])
})

test('removing the last file emits the cancelled job, which is then dropped with its draft', async () => {
  const { id, files } = await submitted('朝の海', [{}])
  const cancelled = { is: 'cancelled', post: null } as const
  const last = () => dropFile(id, defined(files[0]?.id), (it) => ({ ...it, stage: cancelled }))
  expect(await emitted(id, last)).toEqual(['jobs'])
  expect(await emitted(id, () => dropJob(id))).toEqual(['jobs', 'drafts', 'identity'])
  expect(await listJobs(AOI)).toEqual([])
})

test('no file is removed from a job whose draft cannot be read', async () => {
  const { id, files } = await submitted('朝の海', [{}, {}])
  await transact(['drafts'], 'readwrite', (tx) => tx.objectStore('drafts').delete(id))
  const without = () => dropFile(id, defined(files[0]?.id), (it) => ({ ...it, files: it.files.slice(1) }))
  expect(await emitted(id, without)).toEqual([])
  expect((await listJobs(AOI))[0]?.files).toEqual(files)
})
