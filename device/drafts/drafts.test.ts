// Drafts: how they are listed, changed and discarded, and which changes are emitted.
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { transact } from '#device/database/database.ts'
import { recordChanges } from '#device/testing/changes.ts'
import type { Draft } from '#device/database/schema.ts'
import { addMedia } from '#device/files/media.ts'
import { finishJob, listJobs } from '#device/jobs/jobs.ts'
import { beginPreupload } from '#device/jobs/preupload.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { submitStored } from '#device/testing/user.ts'
import {
  changeDraft,
  discardDraft,
  emptyDraft,
  isBlank,
  isEmpty,
  isSubmitted,
  isUnused,
  listDrafts,
  readDraft,
} from './drafts.ts'

const [AOI, REN] = [newId(), newId()]
const NOW = Date.parse('2026-03-05T03:30:00Z')

const changes = recordChanges({ beforeEach, afterEach })

async function written(content: string, at = NOW, ownerId = AOI): Promise<Draft> {
  const draft = await changeDraft(emptyDraft(ownerId, at), (it) => ({ ...it, content }), at)
  if (!draft) throw new Error('the draft was not stored')
  changes.length = 0
  return draft
}

test('an empty draft is a public post without text, price, plans or files, of the resumable protocol', () => {
  const draft = emptyDraft(AOI, NOW)
  expect(draft).toEqual({
    id: draft.id,
    ownerId: AOI,
    content: '',
    type: 1,
    planIds: [],
    price: '',
    isAgeLimited: false,
    title: '',
    introduction: '',
    commentsClosed: false,
    declaredFilm: null,
    protocol: 'tus',
    keepSize: false,
    submitWhenReady: false,
    mediaIds: [],
    thumbnailId: null,
    frameId: null,
    revision: 0,
    createdAt: NOW,
    updatedAt: NOW,
  })
})

test('a draft is empty without text, media and thumbnail; spaces are no text', () => {
  const empty = { content: ' \n　', mediaIds: [], thumbnailId: null }
  expect(isEmpty(empty)).toBe(true)
  expect(isEmpty({ ...empty, content: 'あ' })).toBe(false)
  expect(isEmpty({ ...empty, mediaIds: [newId()] })).toBe(false)
  expect(isEmpty({ ...empty, thumbnailId: newId() })).toBe(false)
})

test('a draft with a title or an introduction alone is no post, and still something that the person wrote', () => {
  const draft = emptyDraft(AOI, NOW)
  expect(isBlank(draft)).toBe(true)
  for (const text of [{ title: '題' }, { introduction: '紹介' }]) {
    expect(isEmpty({ ...draft, ...text })).toBe(true)
    expect(isBlank({ ...draft, ...text })).toBe(false)
  }
})

test('a draft of an earlier version of the app has neither title nor introduction', async () => {
  const { title: _, introduction: __, ...earlier } = await written('前の版から')
  await transact(['drafts'], 'readwrite', (tx) => tx.objectStore('drafts').put(earlier as Draft))
  expect(await readDraft(earlier.id, AOI)).toEqual({ ...earlier, title: '', introduction: '' })
})

test('the list has the person’s drafts that are not being delivered, the last changed first', async () => {
  await written('二番目', NOW + 2)
  await written('一番目', NOW + 3)
  await written('三番目', NOW + 1)
  await written('別の人の', NOW + 9, REN)
  const sent = await written('送信中', NOW + 8)
  await submitStored(sent.id, AOI, NOW + 8)
  expect((await listDrafts(AOI)).map((it) => it.content)).toEqual(['一番目', '二番目', '三番目'])
})

test('a draft counts as submitted from the press on, also after its post was released', async () => {
  const draft = await written('投稿')
  expect([await isSubmitted(draft.id), await isUnused(draft.id)]).toEqual([false, false])
  await submitStored(draft.id, AOI, NOW)
  expect([await isSubmitted(draft.id), await isUnused(draft.id)]).toEqual([true, false])
  const [job] = await listJobs(AOI)
  if (job) await finishJob(job, newId(), NOW)
  expect([await isSubmitted(draft.id), await isUnused(draft.id)]).toEqual([true, false])
  const other = newId()
  expect([await isSubmitted(other), await isUnused(other)]).toEqual([false, true])
})

test('a change is announced once; one of a submitted draft or of another person’s changes nothing', async () => {
  const draft = emptyDraft(AOI, NOW)
  await changeDraft(draft, (it) => ({ ...it, content: '一' }), NOW)
  expect(changes).toEqual([{ store: 'drafts', id: draft.id }])
  changes.length = 0
  expect(
    await changeDraft({ ...draft, ownerId: REN }, (it) => ({ ...it, content: '二' }), NOW),
  ).toBeUndefined()
  await submitStored(draft.id, AOI, NOW)
  changes.length = 0
  expect(await changeDraft(draft, (it) => ({ ...it, content: '三' }), NOW)).toBeUndefined()
  expect(changes).toEqual([])
  expect((await readDraft(draft.id, AOI))?.content).toBe('一')
})

test('a discarded draft is announced as discarded, with its preupload where it has one', async () => {
  const draft = await written('捨てる')
  await discardDraft(draft.id, AOI)
  expect(changes).toEqual([{ store: 'drafts', id: draft.id, discarded: true }])
  const early = await written('写真つき')
  await addMedia(early, pictureRow(early), NOW)
  await beginPreupload(early.id, AOI, NOW)
  changes.length = 0
  await discardDraft(early.id, AOI)
  expect(changes).toEqual([
    { store: 'drafts', id: early.id, discarded: true },
    { store: 'early', id: early.id },
  ])
})

test('a draft of another person, one that is being delivered and a deleted one are not discarded', async () => {
  const [otherDraft, sent] = [await written('別の人の', NOW, REN), await written('送信中')]
  await submitStored(sent.id, AOI, NOW)
  changes.length = 0
  for (const id of [otherDraft.id, sent.id, newId()]) await discardDraft(id, AOI)
  expect(changes).toEqual([])
  expect((await readDraft(otherDraft.id, REN))?.content).toBe('別の人の')
  expect((await readDraft(sent.id, AOI))?.content).toBe('送信中')
})
