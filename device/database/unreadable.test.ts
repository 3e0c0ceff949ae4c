// Rows that this version cannot read: what of them can be copied, and deleting them.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from './database.ts'
import { changeDraft, emptyDraft, listDrafts } from '#device/drafts/drafts.ts'
import { listJobs } from '#device/jobs/jobs.ts'
import { somebody, submitStored } from '#device/testing/user.ts'
import { discardUnreadable, listUnreadable } from './unreadable.ts'

const aoi = somebody('葵')

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

test('the text of a corrupt row is found wherever rows have had it', async () => {
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
  const [other, id] = [somebody('蓮'), newId()]
  await put('drafts', { id, ownerId: other.id, content: '蓮の文章' })
  await discardUnreadable(aoi.id, { store: 'drafts', id, text: '' })
  expect(await listUnreadable(other.id)).toHaveLength(1)
})
