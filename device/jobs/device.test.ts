// The device's database with real IndexedDB semantics: drafts, files, jobs, receipts, sessions.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compositeDigest } from '#contract/digest.ts'
import { newId } from '#contract/ids.ts'
import { onChange, type Change } from '#device/database/changes.ts'
import { CHUNK_BYTES, readChunk } from '#device/files/chunks.ts'
import { hasUnconverted } from '#device/files/conversions.ts'
import { copyFile, isCopying } from '#device/files/import-file.ts'
import { closeDatabase } from '#device/database/database.ts'
import {
  changeDraft,
  discardDraft,
  emptyDraft,
  isUnused,
  listDrafts,
  readDraft,
} from '#device/drafts/drafts.ts'
import {
  changeJob,
  claimFailure,
  claimReceipt,
  dropJob,
  finishJob,
  listJobs,
  submitDraft,
  unshownReceipts,
} from './jobs.ts'
import { submitStored } from '#device/testing/user.ts'
import { addMedia, listMedia, readMedia, removeMedia } from '#device/files/media.ts'
import { migrations } from '#device/database/migrations.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { clearSession, readSession, saveSession } from '#device/session/session.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

beforeEach(() => {
  // Node has no Web Locks; one test runs one copy at a time.
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, work: () => unknown) => work(), query: async () => ({ held: [] }) },
  })
})
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

async function draftWith(content: string, ownerId = AOI): Promise<Draft> {
  const base = emptyDraft(ownerId, NOW)
  const draft = await changeDraft(base, (it) => ({ ...it, content }), NOW)
  if (!draft) throw new Error('the draft was not stored')
  return draft
}

async function pick(
  draft: Draft,
  bytes: Uint8Array<ArrayBuffer>,
  name = 'a.jpg',
): Promise<{ media: Media; file: File }> {
  const file = new File([bytes], name)
  const media = pictureRow(draft, { name, size: file.size })
  await addMedia(draft, media, NOW)
  return { media, file }
}

test('a draft is stored after the app was closed, and only for its owner', async () => {
  const draft = await draftWith('今日の海')
  await closeDatabase()
  expect((await listDrafts(AOI)).map((it) => it.content)).toEqual(['今日の海'])
  expect(await listDrafts(REN)).toEqual([])
  expect(await readDraft(draft.id, REN)).toBeUndefined()
})

test('changes of different fields of a draft in two tabs are both stored', async () => {
  const draft = await draftWith('')
  await Promise.all([
    changeDraft(draft, (it) => ({ ...it, content: '本文' }), NOW),
    changeDraft(draft, (it) => ({ ...it, isAgeLimited: true }), NOW),
  ])
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '本文', isAgeLimited: true })
})

test('a picked file is stored in 5 MiB chunks with the digest of the whole', async () => {
  const draft = await draftWith('')
  const bytes = new Uint8Array(CHUNK_BYTES + 3).map((_, i) => i % 251)
  const { media, file } = await pick(draft, bytes)
  const end = await copyFile(media, file)
  const halves = [bytes.slice(0, CHUNK_BYTES), bytes.slice(CHUNK_BYTES)]
  const leaves = await Promise.all(
    halves.map(async (half) => new Uint8Array(await crypto.subtle.digest('SHA-256', half))),
  )
  expect(end).toMatchObject({
    is: 'stored',
    media: { bytes: { is: 'stored', digest: await compositeDigest(leaves) } },
  })
  expect((await readChunk(media.id, 0))?.size).toBe(CHUNK_BYTES)
  expect(new Uint8Array((await (await readChunk(media.id, 1))?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(
    halves[1],
  )
  expect(await readChunk(media.id, 2)).toBeUndefined()
})

test('a file removed while it is copied leaves no bytes', async () => {
  const draft = await draftWith('')
  const { media, file } = await pick(draft, new Uint8Array(10))
  await removeMedia(draft, media.id, NOW)
  expect(await copyFile(media, file)).toEqual({ is: 'removed' })
  expect(await readMedia(media.id)).toBeUndefined()
  expect(await readChunk(media.id, 0)).toBeUndefined()
})

test('a second press of the button makes no second job', async () => {
  const draft = await draftWith('一度だけ')
  const ends = await Promise.all([1, 2, 3].map(() => submitStored(draft.id, AOI, NOW)))
  expect(ends.map((end) => end.is).toSorted()).toEqual(['already', 'already', 'submitted'])
  expect(await listJobs(AOI)).toHaveLength(1)
})

test('an empty draft and a draft of another person are not submitted', async () => {
  const empty = await draftWith('  \n　')
  expect(await submitStored(empty.id, AOI, NOW)).toEqual({ is: 'empty' })
  const draft = await draftWith('私の')
  expect(await submitDraft({ ...draft, ownerId: REN }, NOW)).toEqual({ is: 'unreadable' })
  expect(await listJobs(AOI)).toEqual([])
})

test('an id is unused until a draft has it, and used after its post was released', async () => {
  const draft = emptyDraft(AOI, NOW)
  expect(await isUnused(draft.id)).toBe(true)
  await changeDraft(draft, (it) => ({ ...it, content: 'あ' }), NOW)
  expect(await isUnused(draft.id)).toBe(false)
  const end = await submitStored(draft.id, AOI, NOW)
  if (end.is !== 'submitted') throw new Error(end.is)
  await finishJob(end.job, '1', NOW)
  expect(await readDraft(draft.id, AOI)).toBeUndefined()
  expect(await isUnused(draft.id)).toBe(false)
})

test('a submitted draft can neither be changed nor discarded', async () => {
  const draft = await draftWith('送信中')
  await submitStored(draft.id, AOI, NOW)
  expect(await changeDraft(draft, (it) => ({ ...it, content: '' }), NOW)).toBeUndefined()
  await discardDraft(draft.id, AOI)
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '送信中' })
  expect(await listDrafts(AOI)).toEqual([])
})

test('a released job leaves only its receipt, shown once, and cannot be submitted again', async () => {
  const draft = await draftWith('届いた')
  const { media, file } = await pick(draft, new Uint8Array(10))
  await copyFile(media, file)
  await submitStored(draft.id, AOI, NOW)
  const [job] = await listJobs(AOI)
  if (!job) throw new Error('no job')
  await finishJob(job, 'post-1', NOW)
  expect(await listJobs(AOI)).toEqual([])
  expect(await listMedia(draft.id)).toEqual([])
  expect(await readChunk(media.id, 0)).toBeUndefined()
  expect(await submitDraft(draft, NOW)).toEqual({ is: 'already' })
  expect(await unshownReceipts(AOI)).toMatchObject([{ id: draft.id, postId: 'post-1' }])
  const claims = await Promise.all([claimReceipt(draft.id), claimReceipt(draft.id)])
  expect(claims.toSorted()).toEqual([false, true])
})

test('a failure is claimed by one tab, and that of a retry once more', async () => {
  const draft = await draftWith('断られた')
  await submitStored(draft.id, AOI, NOW)
  const fail = () =>
    changeJob(draft.id, (it) =>
      it.kind === 'post' ? { ...it, stage: { is: 'failed', code: 'forbidden', post: null } } : it,
    )
  expect(await claimFailure(draft.id), 'an open job has none').toBe(false)
  for (const round of ['first', 'after a retry']) {
    await fail()
    const claims = await Promise.all([claimFailure(draft.id), claimFailure(draft.id)])
    expect([round, claims.toSorted()]).toEqual([round, [false, true]])
    expect(await claimFailure(draft.id)).toBe(false)
    await changeJob(draft.id, (it) => (it.kind === 'post' ? { ...it, stage: { is: 'open' } } : it))
  }
})

test('a failed job that is dropped leaves its draft with its files', async () => {
  const draft = await draftWith('もう一度')
  const { media, file } = await pick(draft, new Uint8Array(10))
  await copyFile(media, file)
  await submitStored(draft.id, AOI, NOW)
  await dropJob(draft.id)
  expect(await listJobs(AOI), 'an open job is not dropped').toHaveLength(1)
  await changeJob(draft.id, (it) =>
    it.kind === 'post' ? { ...it, stage: { is: 'failed', code: 'forbidden', post: null } } : it,
  )
  await dropJob(draft.id)
  expect((await listDrafts(AOI)).map((it) => it.id)).toEqual([draft.id])
  expect(await readChunk(media.id, 0)).toBeDefined()
})

test('a job row of another build is left unchanged and never run, and the others continue', async () => {
  const draft = await draftWith('無事')
  await submitStored(draft.id, AOI, NOW)
  await closeDatabase()
  const raw = await openDB('todoke')
  const foreign = { id: newId(), ownerId: AOI, files: 'nonsense' }
  await raw.put('jobs', foreign)
  raw.close()
  expect((await listJobs(AOI)).map((job) => job.id)).toEqual([draft.id])
  await closeDatabase()
  const after = await openDB('todoke')
  expect(await after.get('jobs', foreign.id)).toEqual(foreign)
  after.close()
})

test('a refused token ends only the session it belongs to', async () => {
  const user = { id: AOI, email: 'a@example.com', name: 'あおい', role: 'member', avatar_url: null } as const
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await saveSession({ token: 'new', user })
  await clearSession('old')
  expect(await readSession()).toMatchObject({ token: 'new' })
  await clearSession('new')
  expect(await readSession()).toBeUndefined()
  stop()
  expect(changes).toEqual([{ store: 'session' }, { store: 'session' }])
})

test('every old version of the database is brought up to date with its rows', async () => {
  for (let version = 1; version <= migrations.length; version++) {
    await deleteDB('todoke')
    const old = await openDB('todoke', version, {
      upgrade: (db, _from, _to, tx) => {
        for (const upgrade of migrations.slice(0, version)) void upgrade(db as never, tx as never)
      },
    })
    const draft = { ...emptyDraft(AOI, NOW), content: `版${version}` }
    const { submitWhenReady: _press, ...oldDraft } = draft
    await old.put('drafts', oldDraft)
    // As they were before photos were stored unconverted: without a word about it.
    const oldMedia = {
      id: newId(),
      draftId: draft.id,
      ownerId: AOI,
      role: 'media',
      kind: 'image',
      name: 'a.jpg',
      mime: 'image/jpeg',
      size: 3,
      duration: null,
      alt: '',
      bytes: { is: 'stored', digest: 'd' },
      createdAt: NOW,
    }
    await old.put('media', oldMedia)
    await old.put('media', { ...oldMedia, id: newId(), bytes: { is: 'copying', stored: 0 } })
    old.close()
    expect(await readDraft(draft.id, AOI)).toEqual(draft)
    expect((await listMedia(draft.id)).map((it) => it.conversion)).toEqual([{ is: 'ready' }, { is: 'ready' }])
    expect(await hasUnconverted(AOI)).toBe(false)
    await closeDatabase()
  }
})

test('a picked file counts as being copied from the moment its row is stored', async () => {
  const held: string[] = []
  vi.stubGlobal('navigator', {
    locks: {
      request: async (name: string, work: () => Promise<unknown>) => {
        held.push(name)
        return work()
      },
      query: async () => ({ held: held.map((name) => ({ name })) }),
    },
  })
  const draft = await draftWith('')
  const media: Media = { ...(await pick(draft, new Uint8Array(3))).media, id: newId() }
  const seen: boolean[] = []
  await copyFile(media, new Blob([new Uint8Array(3)]), true, async () => {
    seen.push(await isCopying(media.id))
    return Boolean(await addMedia(draft, media, NOW))
  })
  expect(seen).toEqual([true])
  expect(await readMedia(media.id)).toMatchObject({ bytes: { is: 'stored' } })
})

test('a file whose draft was submitted before the copy is not copied', async () => {
  const draft = await draftWith('')
  const { media, file } = await pick(draft, new Uint8Array(3))
  expect(await copyFile(media, file, true, async () => false)).toEqual({ is: 'removed' })
  expect(await readChunk(media.id, 0)).toBeUndefined()
})
