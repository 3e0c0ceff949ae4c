// An identity check on the device: kept through reloads, one job out of it, nothing left once it is over.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { readChunk } from '#device/files/chunks.ts'
import { storeConverted } from '#device/files/conversions.ts'
import { closeDatabase } from '#device/database/database.ts'
import { emptyDraft } from '#device/drafts/drafts.ts'
import {
  chooseDocument,
  discardIdentity,
  storePart,
  storePrompts,
  readIdentity,
  readIdentityJob,
  submitIdentityDraft,
} from './identity.ts'
import { changeJob, dropJob, finishJob, listJobs, unshownReceipts } from './jobs.ts'
import { listMedia } from '#device/files/media.ts'
import { migrations } from '#device/database/migrations.ts'
import { purgePerson } from '#device/session/purge.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')
const asked = () => ({ id: newId(), prompts: ['nod', 'turn_right'], expiresAt: NOW + 60_000 })
const file = (text: string, type = 'image/jpeg') => new Blob([text], { type })

beforeEach(() => {
  vi.stubGlobal('navigator', {
    locks: { request: (_name: string, work: () => unknown) => work(), query: async () => ({ held: [] }) },
  })
})
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
  vi.unstubAllGlobals()
})

async function whole(): Promise<void> {
  await chooseDocument(AOI, 'drivers_license', NOW)
  await storePart(AOI, 'front', file('front'), NOW)
  await storePart(AOI, 'back', file('back'), NOW)
  await storePrompts(AOI, asked(), NOW)
  await storePart(AOI, 'live', file('live', 'video/webm'), NOW)
}

test('photographed parts are there after the app was closed', async () => {
  await whole()
  await closeDatabase()
  const draft = await readIdentity(AOI)
  expect(draft).toMatchObject({ documentKind: 'drivers_license', asked: { prompts: ['nod', 'turn_right'] } })
  expect(await (await readChunk(draft?.front ?? '', 0))?.text()).toBe('front')
  expect(await readIdentity(newId()), 'and only for whose it is').toBeUndefined()
})

test('a new picture replaces the one before, whose bytes are deleted', async () => {
  await whole()
  const before = (await readIdentity(AOI))?.front ?? ''
  await storePart(AOI, 'front', file('sharper'), NOW)
  const after = (await readIdentity(AOI))?.front ?? ''
  expect(await readChunk(before, 0)).toBeUndefined()
  expect(await (await readChunk(after, 0))?.text()).toBe('sharper')
})

test('another document deletes the pictures, and other prompts the recording', async () => {
  await whole()
  await chooseDocument(AOI, 'passport', NOW)
  expect(await readIdentity(AOI)).toMatchObject({ front: null, back: null, live: expect.any(String) })
  await storePrompts(AOI, asked(), NOW)
  expect(await readIdentity(AOI)).toMatchObject({ live: null })
  const draft = await readIdentity(AOI)
  expect(await listMedia(draft?.id ?? '')).toEqual([])
})

test('a check that lacks a part is not submitted', async () => {
  await whole()
  await storePrompts(AOI, asked(), NOW)
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
  expect(await submitIdentityDraft(newId(), true, NOW)).toEqual({ is: 'incomplete' })
})

test('a second press makes no second job; the recording goes first', async () => {
  await whole()
  const ends = await Promise.all([1, 2].map(() => submitIdentityDraft(AOI, true, NOW)))
  expect(ends.map((end) => end.is).toSorted()).toEqual(['already', 'submitted'])
  const [job] = await listJobs(AOI)
  const draft = await readIdentity(AOI)
  expect(job).toMatchObject({
    kind: 'identity',
    id: draft?.id,
    form: { front: draft?.front, live: draft?.live },
  })
  expect(job?.files.map((it) => it.id)).toEqual([draft?.live, draft?.back, draft?.front])
})

test('a document without a back is sent without one', async () => {
  await whole()
  const end = await submitIdentityDraft(AOI, false, NOW)
  expect(end).toMatchObject({ is: 'submitted', job: { form: { back: null } } })
})

test('a submitted check does not change', async () => {
  await whole()
  await submitIdentityDraft(AOI, true, NOW)
  const draft = await readIdentity(AOI)
  expect(await storePart(AOI, 'front', file('other'), NOW)).toEqual({ is: 'removed' })
  await chooseDocument(AOI, 'passport', NOW)
  await discardIdentity(AOI)
  expect(await readIdentity(AOI)).toEqual(draft)
})

test('an acknowledged check leaves only its receipt', async () => {
  await whole()
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  await finishJob(job, 'check-1', NOW)
  expect([await readIdentity(AOI), await listJobs(AOI), await listMedia(job.id)]).toEqual([undefined, [], []])
  for (const { id } of job.files) expect(await readChunk(id, 0)).toBeUndefined()
  expect(await unshownReceipts(AOI)).toMatchObject([{ kind: 'identity', postId: 'check-1' }])
})

test('a failed check that is dropped comes back with its pictures', async () => {
  await whole()
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  await changeJob(job?.id ?? '', (it) =>
    it.kind === 'identity' ? { ...it, stage: { is: 'failed', code: 'conflict' } } : it,
  )
  await dropJob(job?.id ?? '')
  await storePrompts(AOI, asked(), NOW)
  expect(await readIdentity(AOI)).toMatchObject({ front: expect.any(String), live: null })
})

test('a sign-out deletes a check unless it was submitted', async () => {
  const user = { id: AOI, email: 'a@example.com', name: 'あおい', avatar_url: null, role: 'member' as const }
  await whole()
  const draft = await readIdentity(AOI)
  await purgePerson(user)
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await readChunk(draft?.front ?? '', 0)).toBeUndefined()
  await whole()
  const end = await submitIdentityDraft(AOI, true, NOW)
  if (end.is !== 'submitted') throw new Error(end.is)
  await purgePerson(user)
  expect(await (await readChunk(end.job.form.live, 0))?.text()).toBe('live')
  expect(await readIdentityJob(AOI)).toBeDefined()
})

test('jobs queued before there were kinds are posts and continue', async () => {
  const old = await openDB('todoke', 2, {
    upgrade: (db, _from, _to, tx) => {
      for (const upgrade of migrations.slice(0, 2)) void upgrade(db as never, tx as never)
    },
  })
  const draft = emptyDraft(AOI, NOW)
  const fileId = newId()
  const job = {
    id: draft.id,
    ownerId: AOI,
    key: newId(),
    protocol: 'tus',
    form: {
      content: '前の版から',
      type: 1,
      planIds: [],
      price: '',
      isAgeLimited: false,
      kind: 'images',
      duration: null,
      thumbnailId: null,
      frameId: null,
    },
    facts: {
      addFirst: false,
      media: [
        {
          id: fileId,
          size: 5,
          acked: 5,
          begun: true,
          url: null,
          done: true,
          paused: false,
          resends: { digest: 0, gone: 1 },
          discard: false,
        },
      ],
      addTried: true,
      post: null,
      ending: { is: 'open' },
      attempts: 2,
      wait: { until: 9, told: false },
    },
    createdAt: NOW,
  }
  await old.put('jobs', job)
  await old.put('receipts', { id: newId(), ownerId: AOI, postId: '1', releasedAt: NOW, told: false })
  old.close()
  const { facts: _, ...rest } = job
  expect(await listJobs(AOI)).toEqual([
    {
      ...rest,
      kind: 'post',
      files: [{ id: fileId, size: 5, state: { is: 'sent', url: null }, resends: { digest: 0, gone: 1 } }],
      stage: { is: 'requested' },
      readds: 0,
      attempts: 2,
      wait: { until: 9, told: false },
    },
  ])
  expect(await unshownReceipts(AOI)).toMatchObject([{ kind: 'post', postId: '1' }])
})

test('a check is not submitted before its photos are converted', async () => {
  await whole()
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 0 } as const
  await storePart(AOI, 'front', file('picked', 'image/heic'), NOW, conversion)
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
  const mediaId = (await readIdentity(AOI))?.front ?? ''
  await storeConverted(mediaId, new File(['jpeg'], 'front.jpg', { type: 'image/jpeg' }))
  expect(await submitIdentityDraft(AOI, true, NOW)).toMatchObject({ is: 'submitted' })
})
