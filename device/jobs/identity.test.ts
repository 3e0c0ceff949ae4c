// Identity checks on the device: stored, submitted once, and deleted when finished.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { readChunk } from '#device/files/chunks.ts'
import { storeConverted } from '#device/files/conversions.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft } from '#device/drafts/drafts.ts'
import {
  chooseDocument,
  discardIdentity,
  dropPart,
  storePart,
  storePrompts,
  readIdentity,
  readIdentityJob,
  submitIdentityDraft,
} from './identity.ts'
import { changeJob, dropJob, finishJob, listJobs, submitDraft, unshownReceipts } from './jobs.ts'
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
  vi.restoreAllMocks()
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

/** The changes that `work` emits. */
async function emitted(work: () => Promise<unknown>): Promise<Change[]> {
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await work()
  stop()
  return changes.filter((it) => it.store !== 'chunks' && it.store !== 'media')
}

test('a part that is dropped leaves the check with its bytes, if it is still that one', async () => {
  await whole()
  const before = await readIdentity(AOI)
  const [front = '', live = ''] = [before?.front ?? undefined, before?.live ?? undefined]
  await dropPart(AOI, 'front', newId(), NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(front, 0))?.text()).toBe('front')
  expect(await emitted(() => dropPart(AOI, 'front', front, NOW))).toEqual([{ store: 'identity', id: AOI }])
  expect(await readIdentity(AOI)).toEqual({ ...before, front: null })
  expect(await readChunk(front, 0)).toBeUndefined()
  expect(await (await readChunk(live, 0))?.text()).toBe('live')
})

test('choosing the same document again retains its pictures', async () => {
  await whole()
  const before = await readIdentity(AOI)
  await chooseDocument(AOI, 'drivers_license', NOW)
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await (await readChunk(before?.front ?? '', 0))?.text()).toBe('front')
})

test('a part is a named row of its check, the recording a video', async () => {
  await whole()
  const draft = await readIdentity(AOI)
  const rows = (await listMedia(draft?.id ?? '')).map(({ role, kind, name, alt, ownerId }) => [
    role,
    kind,
    name,
    alt,
    ownerId,
  ])
  expect(rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual([
    ['back', 'image', '書類の裏面', '', AOI],
    ['front', 'image', '書類の表面', '', AOI],
    ['live', 'video', '顔の動画', '', AOI],
  ])
})

test('a part that cannot be read leaves the one before, and no row or bytes of its own', async () => {
  await whole()
  const before = await readIdentity(AOI)
  const rows = await listMedia(before?.id ?? '')
  const broken = file('broken')
  vi.spyOn(broken, 'slice').mockImplementation(() => {
    throw new DOMException('moved', 'NotReadableError')
  })
  expect(await storePart(AOI, 'front', broken, NOW)).toEqual({ is: 'unreadable' })
  expect(await readIdentity(AOI)).toEqual(before)
  expect(await listMedia(before?.id ?? '')).toEqual(rows)
})

test('every change of a check is emitted, and a submission as a job too', async () => {
  const check = { store: 'identity', id: AOI }
  expect(await emitted(() => chooseDocument(AOI, 'passport', NOW))).toEqual([check])
  expect(await emitted(() => storePrompts(AOI, asked(), NOW))).toEqual([check])
  expect(await emitted(() => storePart(AOI, 'front', file('front'), NOW))).toEqual([check, check])
  await storePart(AOI, 'live', file('live', 'video/webm'), NOW)
  const id = (await readIdentity(AOI))?.id
  expect(await emitted(() => submitIdentityDraft(AOI, false, NOW))).toEqual([{ store: 'jobs', id }, check])
  expect(await emitted(() => submitIdentityDraft(AOI, false, NOW))).toEqual([])
  expect(await emitted(() => chooseDocument(AOI, 'drivers_license', NOW))).toEqual([])
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  expect(await emitted(() => finishJob(job, 'check-1', NOW))).toEqual([
    check,
    { store: 'jobs', id },
    { store: 'receipts', id },
  ])
  expect(await emitted(() => discardIdentity(AOI))).toEqual([check])
})

test.each(['documentKind', 'asked', 'front', 'back', 'live'] as const)(
  'a check without its %s is not submitted',
  async (field) => {
    await whole()
    await transact(['identity'], 'readwrite', async (tx) => {
      const draft = await tx.objectStore('identity').get(AOI)
      if (draft) await tx.objectStore('identity').put({ ...draft, [field]: null })
    })
    expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
    expect(await listJobs(AOI)).toEqual([])
  },
)

test('a check whose picture has lost its row is not submitted', async () => {
  await whole()
  const front = (await readIdentity(AOI))?.front ?? ''
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(front))
  expect(await submitIdentityDraft(AOI, true, NOW)).toEqual({ is: 'incomplete' })
})

test('a document without a back sends only its front and the recording', async () => {
  await whole()
  const draft = await readIdentity(AOI)
  await submitIdentityDraft(AOI, false, NOW)
  expect((await readIdentityJob(AOI))?.files.map((it) => it.id)).toEqual([draft?.live, draft?.front])
})

test('a discarded check leaves no picture, and no check of another person changes', async () => {
  const ren = newId()
  await chooseDocument(ren, 'passport', NOW)
  const theirs = await readIdentity(ren)
  await whole()
  const draft = await readIdentity(AOI)
  await discardIdentity(AOI)
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await listMedia(draft?.id ?? '')).toEqual([])
  for (const it of [draft?.front, draft?.back, draft?.live])
    expect(await readChunk(it ?? '', 0)).toBeUndefined()
  expect(await readIdentity(ren)).toEqual(theirs)
})

test('a check that cannot be read is deleted with its pictures', async () => {
  await whole()
  const draft = await readIdentity(AOI)
  await transact(['identity'], 'readwrite', (tx) =>
    tx.objectStore('identity').put({ ...draft, documentKind: 'library_card' } as never),
  )
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').count())).toBe(0)
  expect(await listMedia(draft?.id ?? '')).toEqual([])
  expect(await readChunk(draft?.front ?? '', 0)).toBeUndefined()
})

test('a check without an id is deleted too', async () => {
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').put({ ownerId: AOI } as never))
  expect(await readIdentity(AOI)).toBeUndefined()
  expect(await transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').count())).toBe(0)
})

test('reading where there is no check changes nothing', async () => {
  expect(await emitted(() => readIdentity(AOI))).toEqual([])
})

test('a finished check leaves a later check of the person', async () => {
  await whole()
  await submitIdentityDraft(AOI, true, NOW)
  const job = await readIdentityJob(AOI)
  if (!job) throw new Error('no job')
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').delete(AOI))
  await chooseDocument(AOI, 'passport', NOW)
  const later = await readIdentity(AOI)
  await finishJob(job, 'check-1', NOW)
  expect(await readIdentity(AOI)).toEqual(later)
  await transact(['identity'], 'readwrite', (tx) => tx.objectStore('identity').delete(AOI))
  await finishJob(job, 'check-1', NOW)
  expect(await readIdentity(AOI)).toBeUndefined()
})

test('the job of a check is found beside posts', async () => {
  const draft = await changeDraft(emptyDraft(AOI, NOW), (it) => ({ ...it, content: '朝の海' }), NOW)
  if (draft) await submitDraft(draft, NOW)
  expect(await readIdentityJob(AOI)).toBeUndefined()
})
