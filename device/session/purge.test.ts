// Signing out of a device: deleted data, parked jobs, and what other people see.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { SessionUser } from '#contract/accounts/session.ts'
import * as v from 'valibot'
import { readResponse, saveResponse } from '#device/cache/responses.ts'
import { queueMutation } from '#device/mutations/mutations.ts'
import { readChunk } from '#device/files/chunks.ts'
import { copyFile } from '#device/files/import-file.ts'
import { closeDatabase, transact, type StoreName } from '#device/database/database.ts'
import { changeDraft, emptyDraft, listDrafts, readDraft } from '#device/drafts/drafts.ts'
import { beginPreupload } from '#device/jobs/preupload.ts'
import { chooseDocument, storePart, storePrompts, submitIdentityDraft } from '#device/jobs/identity.ts'
import { finishJob, listJobs } from '#device/jobs/jobs.ts'
import { addMedia } from '#device/files/media.ts'
import { readNote, writeNote } from '#device/drafts/notes.ts'
import { countBelongings, discardParked, listParked, purgePerson, sweepSignedOut } from './purge.ts'
import type { Draft, Media } from '#device/database/schema.ts'
import { clearSession, readSession, saveSession } from './session.ts'
import { newUser, submitStored } from '#device/testing/user.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const NOW = Date.parse('2026-03-05T03:30:00Z')
const aoi = newUser('葵')
const ren = newUser('蓮')
const stores: StoreName[] = ['drafts', 'media', 'chunks', 'early', 'jobs', 'receipts', 'settings']

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

/** A draft with a text and a file whose bytes are stored. */
async function draftOf(owner: SessionUser, content: string): Promise<{ draft: Draft; media: Media }> {
  const base = emptyDraft(owner.id, NOW)
  await changeDraft(base, (it) => ({ ...it, content }), NOW)
  const file = new File([new Uint8Array([1, 2, 3])], 'a.jpg')
  const media = pictureRow(base, { name: file.name, size: file.size })
  const draft = await addMedia(base, media, NOW)
  if (!draft) throw new Error('the file was not taken')
  await copyFile(media, file)
  return { draft, media }
}

async function sent(owner: SessionUser, content: string): Promise<{ draft: Draft; media: Media }> {
  const made = await draftOf(owner, content)
  await submitStored(made.draft.id, owner.id, NOW)
  return made
}

/** A check of a passport, submitted. */
async function sentCheck(owner: SessionUser): Promise<void> {
  await chooseDocument(owner.id, 'passport', NOW)
  await storePart(owner.id, 'front', new Blob(['front'], { type: 'image/jpeg' }), NOW)
  await storePrompts(owner.id, { id: newId(), prompts: ['nod'], expiresAt: NOW + 60_000 }, NOW)
  await storePart(owner.id, 'live', new Blob(['live'], { type: 'video/webm' }), NOW)
  expect(await submitIdentityDraft(owner.id, false, NOW)).toMatchObject({ is: 'submitted' })
}

/** Every row of the device as text, to look for traces in. */
const everything = () =>
  transact(stores, 'readonly', async (tx) =>
    JSON.stringify(await Promise.all(stores.map((store) => tx.objectStore(store).getAll()))),
  )

describe('signing out', () => {
  test('deletes the person’s drafts with their files, preuploads and receipts, and ends the session', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    const { draft, media } = await draftOf(aoi, '下書き')
    await beginPreupload(draft.id, aoi.id, NOW)
    const done = await sent(aoi, '公開済み')
    const [job] = await listJobs(aoi.id)
    if (job) await finishJob(job, newId(), NOW)
    await purgePerson(aoi)
    expect(await readSession()).toBeUndefined()
    expect(await readDraft(draft.id, aoi.id)).toBeUndefined()
    expect(await readChunk(media.id, 0)).toBeUndefined()
    const left = await everything()
    for (const trace of ['下書き', '葵', media.id, draft.id, done.draft.id]) expect(left).not.toContain(trace)
  })

  test('leaves a post that was submitted with its text and bytes', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    const { draft, media } = await sent(aoi, '送信待ち')
    await purgePerson(aoi)
    expect((await listJobs(aoi.id)).map((it) => it.kind === 'post' && it.form.content)).toEqual(['送信待ち'])
    expect(await readDraft(draft.id, aoi.id)).toBeDefined()
    expect(await readChunk(media.id, 0)).toBeDefined()
  })

  test('leaves all data of another person on the device', async () => {
    const otherDraft = await draftOf(ren, '蓮の下書き')
    await draftOf(aoi, '葵の下書き')
    await saveSession({ token: 'ren', user: ren })
    await saveResponse({ ownerId: ren.id, key: 'feed', value: '蓮の一覧', at: NOW })
    await purgePerson(aoi)
    expect((await readResponse(ren.id, 'feed', NOW))?.value).toBe('蓮の一覧')
    expect((await listDrafts(ren.id)).map((it) => it.content)).toEqual(['蓮の下書き'])
    expect(await readChunk(otherDraft.media.id, 0)).toBeDefined()
  })

  test('does not end the session of another person who has signed in since', async () => {
    await saveSession({ token: 'ren', user: ren })
    await purgePerson(aoi)
    expect((await readSession())?.token).toBe('ren')
  })

  test('counts beforehand what is deleted and what stays, without empty drafts', async () => {
    await draftOf(aoi, '一つ目')
    await draftOf(aoi, '二つ目')
    await changeDraft(emptyDraft(aoi.id, NOW), (it) => ({ ...it, content: ' ' }), NOW)
    await sent(aoi, '送信待ち')
    await sent(ren, '蓮の送信待ち')
    const mutation = { name: 'follow', params: { user_id: ren.id } } as const
    await queueMutation(aoi.id, { mutation, about: '蓮' }, NOW)
    const unsent = { post: 1, identity: 0, message: 0 }
    expect(await countBelongings(aoi.id)).toEqual({ drafts: 2, files: 0, unsent, acts: 1 })
  })

  test('deletes the notes of the person, and of no other person', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await writeNote(aoi.id, 'comments.1', '書きかけ')
    await writeNote(ren.id, 'comments.1', '蓮の書きかけ')
    await purgePerson(aoi)
    expect(await readNote(aoi.id, 'comments.1', v.string())).toBeUndefined()
    expect(await readNote(ren.id, 'comments.1', v.string())).toBe('蓮の書きかけ')
  })

  test('rows that a tab wrote afterwards are deleted by the next sweep, with the name', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await purgePerson(aoi)
    await draftOf(aoi, '遅れて届いた下書き')
    await sweepSignedOut()
    expect(await listDrafts(aoi.id)).toEqual([])
    expect(await everything()).not.toContain('葵')
  })

  test('a sweep deletes nothing of a person who signed in again', async () => {
    await purgePerson(aoi)
    await saveSession({ token: 'aoi', user: aoi })
    await draftOf(aoi, '新しい下書き')
    await sweepSignedOut()
    expect(await listDrafts(aoi.id)).toHaveLength(1)
  })
})

describe('an identity check', () => {
  test('is counted separately from posts, before the sign-out and after it', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sentCheck(aoi)
    expect((await countBelongings(aoi.id)).unsent).toEqual({ post: 0, identity: 1, message: 0 })
    await sent(aoi, '一')
    expect((await countBelongings(aoi.id)).unsent).toEqual({ post: 1, identity: 1, message: 0 })
    await purgePerson(aoi)
    expect(await listParked()).toEqual([
      { ownerId: aoi.id, name: '葵', unsent: { post: 1, identity: 1, message: 0 } },
    ])
  })

  test('that is parked has its parts until it is delivered', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sentCheck(aoi)
    const parts = () => transact(['identity'], 'readonly', (tx) => tx.objectStore('identity').count())
    expect(await parts()).toBe(1)
    await purgePerson(aoi)
    expect(await parts()).toBe(1)
    const [job] = await listJobs(aoi.id)
    if (job) await finishJob(job, newId(), NOW)
    expect(await parts()).toBe(0)
  })

  test('that is parked is deleted when parked jobs are discarded', async () => {
    await sentCheck(aoi)
    await discardParked(aoi.id)
    expect([await listParked(), await listJobs(aoi.id)]).toEqual([[], []])
  })
})

describe('a session that was ended remotely', () => {
  test('leaves drafts and posts on the device', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await draftOf(aoi, '下書き')
    await sent(aoi, '送信待ち')
    await clearSession('aoi')
    await sweepSignedOut()
    expect(await listDrafts(aoi.id)).toHaveLength(1)
    expect(await listParked()).toEqual([
      { ownerId: aoi.id, name: '葵', unsent: { post: 1, identity: 0, message: 0 } },
    ])
  })
})

describe('parked posts', () => {
  test('are counted by person with the name; those of the signed-in person are not parked', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sent(aoi, '一')
    await sent(aoi, '二')
    await purgePerson(aoi)
    await sent(ren, '三')
    expect(await listParked()).toEqual(
      expect.arrayContaining([
        { ownerId: aoi.id, name: '葵', unsent: { post: 2, identity: 0, message: 0 } },
        { ownerId: ren.id, name: undefined, unsent: { post: 1, identity: 0, message: 0 } },
      ]),
    )
    await saveSession({ token: 'aoi', user: aoi })
    expect((await listParked()).map((it) => it.ownerId)).toEqual([ren.id])
  })

  test('of one person are deleted with their files when they are discarded', async () => {
    const own = await sent(aoi, '葵の')
    await sent(ren, '蓮の')
    await discardParked(aoi.id)
    expect(await listJobs(aoi.id)).toEqual([])
    expect(await readChunk(own.media.id, 0)).toBeUndefined()
    expect(await readDraft(own.draft.id, aoi.id)).toBeUndefined()
    expect(await listJobs(ren.id)).toHaveLength(1)
  })

  test('of the signed-in person are not deleted', async () => {
    await saveSession({ token: 'aoi', user: aoi })
    await sent(aoi, '葵の')
    await discardParked(aoi.id)
    expect(await listJobs(aoi.id)).toHaveLength(1)
  })
})
