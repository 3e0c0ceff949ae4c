// Rows that this version cannot read: what of them can be copied, and deleting them.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Change, onChange } from './changes.ts'
import { closeDatabase, transact } from './database.ts'
import { changeDraft, emptyDraft, listDrafts } from '#device/drafts/drafts.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { newUser, submitStored } from '#device/testing/user.ts'
import { countUnreadable, discardUnreadable, listUnreadable } from './unreadable.ts'

const aoi = newUser('葵')

beforeEach(async () => {
  await transact(['drafts'], 'readonly', async () => undefined)
})
afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

async function put(store: string, row: object): Promise<void> {
  const raw = await openDB('todoke')
  await raw.put(store, row)
  raw.close()
}

test('the text of a corrupt row is found in every field where a version has stored it', async () => {
  const [job, draft, act] = [newId(), newId(), newId()]
  await put('jobs', { id: job, ownerId: aoi.id, form: { content: '投稿の文章' } })
  await put('drafts', { id: draft, ownerId: aoi.id, content: '下書きの文章' })
  await put('acts', { id: act, ownerId: aoi.id, form: { act: { body: { content: 'コメントの文章' } } } })
  await put('drafts', { id: newId(), ownerId: newId(), content: '別の人の文章' })
  expect(await listUnreadable(aoi.id)).toEqual([
    { store: 'jobs', id: job, text: '投稿の文章' },
    { store: 'drafts', id: draft, text: '下書きの文章' },
    { store: 'acts', id: act, text: 'コメントの文章' },
  ])
})

test('a submitted post that cannot be read counts once, although its draft cannot be read either', async () => {
  const id = newId()
  for (const store of ['jobs', 'drafts']) await put(store, { id, ownerId: aoi.id })
  await put('drafts', { id: newId(), ownerId: aoi.id })
  await put('acts', { id: newId(), ownerId: aoi.id })
  expect(await countUnreadable(aoi.id)).toEqual({ posts: 1, drafts: 1, acts: 1 })
})

test('a corrupt job that is deleted leaves its draft, which can be edited again', async () => {
  const draft = await changeDraft(emptyDraft(aoi.id, 1), (it) => ({ ...it, content: '本文' }), 1)
  if (!draft) throw new Error('the draft was not stored')
  await submitStored(draft.id, aoi.id, 2)
  await put('jobs', { id: draft.id, ownerId: aoi.id, form: null })
  const [row] = await listUnreadable(aoi.id)
  if (!row) throw new Error('the row can be read')
  await discardUnreadable(aoi.id, row)
  expect(await listUnreadable(aoi.id)).toEqual([])
  expect((await listDrafts(aoi.id)).map((it) => it.content)).toEqual(['本文'])
})

test('a row that can be read, or is another person’s, is not deleted', async () => {
  const draft = await changeDraft(emptyDraft(aoi.id, 1), (it) => ({ ...it, content: '本文' }), 1)
  if (!draft) throw new Error('the draft was not stored')
  await submitStored(draft.id, aoi.id, 2)
  await discardUnreadable(aoi.id, { store: 'jobs', id: draft.id, text: '' })
  expect(await listJobs(aoi.id)).toHaveLength(1)
  const [other, id] = [newUser('蓮'), newId()]
  await put('drafts', { id, ownerId: other.id, content: '蓮の文章' })
  await discardUnreadable(aoi.id, { store: 'drafts', id, text: '' })
  expect(await listUnreadable(other.id)).toHaveLength(1)
})

test('a row without any text is listed with none, and empty fields are skipped', async () => {
  const [bare, empty] = [newId(), newId()].toSorted() as [string, string]
  await put('drafts', { id: bare, ownerId: aoi.id, content: { blocks: [] } })
  await put('drafts', { id: empty, ownerId: aoi.id, content: '', form: { content: '別の場所の文章' } })
  expect(await listUnreadable(aoi.id)).toEqual([
    { store: 'drafts', id: bare, text: '' },
    { store: 'drafts', id: empty, text: '別の場所の文章' },
  ])
})

test('files are deleted with the last unreadable row that names them; the deletion is announced once', async () => {
  const id = newId()
  const files = [newId(), newId()]
  for (const store of ['drafts', 'jobs']) await put(store, { id, ownerId: aoi.id })
  for (const file of files) {
    await put('media', { id: file, draftId: id, ownerId: aoi.id })
    await put('chunks', { mediaId: file, index: 0 })
  }
  const count = () =>
    transact(['media', 'chunks'], 'readonly', async (tx) => [
      await tx.objectStore('media').count(),
      await tx.objectStore('chunks').count(),
    ])
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await discardUnreadable(aoi.id, { store: 'jobs', id, text: '' })
  expect(await count()).toEqual([2, 2])
  await discardUnreadable(aoi.id, { store: 'drafts', id, text: '' })
  expect(await count()).toEqual([0, 0])
  await discardUnreadable(aoi.id, { store: 'drafts', id, text: '' })
  stop()
  expect(changes).toEqual([
    { store: 'jobs', id },
    { store: 'drafts', id },
  ])
})

test('an unreadable mutation is deleted without the files of a draft that has its id', async () => {
  const id = newId()
  await put('acts', { id, ownerId: aoi.id })
  await put('media', { id: newId(), draftId: id, ownerId: aoi.id })
  const changes: Change[] = []
  const stop = onChange((change) => changes.push(change))
  await discardUnreadable(aoi.id, { store: 'acts', id, text: '' })
  stop()
  expect(changes).toEqual([{ store: 'acts', id }])
  const left = await transact(['acts', 'media'], 'readonly', async (tx) => [
    await tx.objectStore('acts').count(),
    await tx.objectStore('media').count(),
  ])
  expect(left).toEqual([0, 1])
})
