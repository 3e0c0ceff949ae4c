// Typed text is stored in the tab's draft or, during a conflict, in a second draft.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { editDraft } from '#device/drafts/draft-edits.ts'
import { discardDraft, emptyDraft, listDrafts, readDraft } from '#device/drafts/drafts.ts'
import { submitDraft } from '#device/jobs/jobs.ts'
import type { Draft } from '#device/database/schema.ts'
import type { UnsavedDraft } from './draft-notes.ts'
import { DraftSync, type SyncEvent } from './draft-sync.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

let events: SyncEvent[]
let notes: Map<string, UnsavedDraft>
let tabs: DraftSync[] = []

beforeEach(() => {
  events = []
  notes = new Map()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(async () => {
  for (const it of tabs) it.end()
  tabs = []
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

function tab(draft: Draft): DraftSync {
  const place = {
    keep: (unsaved: UnsavedDraft) => void notes.set(unsaved.draft.id, unsaved),
    drop: (id: string) => void notes.delete(id),
  }
  const sync = new DraftSync(draft, place, (event) => events.push(event))
  tabs.push(sync)
  return sync
}

async function stored(content: string): Promise<Draft> {
  const base = emptyDraft(AOI, NOW)
  const end = await editDraft(base, { ...base, content }, NOW)
  if (end.is !== 'stored') throw new Error(end.is)
  return end.draft
}

const contents = async () => (await listDrafts(AOI)).map((it) => it.content).toSorted()

/** Lets every write of a draft fail until the returned function is called. */
function full(): () => void {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  return () => put.mockRestore()
}

test('letters typed during a write are written after it', async () => {
  const draft = await stored('')
  const sync = tab(draft)
  for (const content of ['あ', 'あい', 'あいう']) sync.edit({ content })
  await sync.save()
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: 'あいう' })
  expect(sync.view()).toMatchObject({ unsaved: false, draft: { content: 'あいう' } })
})

test('a tab without changes of its own follows another one', async () => {
  const draft = await stored('元')
  const [a, b] = [tab(draft), tab(draft)]
  a.edit({ content: '続き' })
  await a.save()
  b.take(a.view().draft)
  expect(b.view()).toMatchObject({ conflict: null, draft: { content: '続き' } })
  b.edit({ content: '続き！' })
  await b.save()
  expect(await contents()).toEqual(['続き！'])
})

test('both tabs typed: both texts are on the device before the person has chosen, and stay after it', async () => {
  const draft = await stored('元')
  const [a, b] = [tab(draft), tab(draft)]
  a.edit({ content: 'こちら' })
  await a.save()
  b.edit({ content: '向こう' })
  await b.save()
  expect(b.view()).toMatchObject({ draft: { content: '向こう' }, conflict: { content: 'こちら' } })
  b.edit({ content: '向こうの続き' })
  await b.save()
  expect(await contents()).toEqual(['こちら', '向こうの続き'])
  await b.choose('mine')
  expect(b.view()).toMatchObject({ conflict: null, draft: { id: draft.id, content: '向こうの続き' } })
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '向こうの続き' })
  expect(await contents()).toEqual(['こちら', '向こうの続き'])
})

test('the person chooses the other text: it is shown, and this one stays as a draft of its own', async () => {
  const draft = await stored('元')
  const [a, b] = [tab(draft), tab(draft)]
  a.edit({ content: 'こちら' })
  await a.save()
  b.edit({ content: '向こう' })
  await b.save()
  await b.choose('theirs')
  expect(b.view()).toMatchObject({ conflict: null, draft: { id: draft.id, content: 'こちら' } })
  expect(await contents()).toEqual(['こちら', '向こう'])
})

test('what the device refuses is said and kept as a note until it is stored', async () => {
  const draft = await stored('元')
  const sync = tab(draft)
  const again = full()
  sync.edit({ content: '入らない' })
  await sync.save()
  expect(sync.view().unsaved).toBe(true)
  expect(notes.get(draft.id)).toMatchObject({ base: { content: '元' }, draft: { content: '入らない' } })
  again()
  await sync.save()
  expect(sync.view().unsaved).toBe(false)
  expect(notes.size).toBe(0)
  expect(await contents()).toEqual(['入らない'])
})

test('a page that ends keeps its last letters before the event is over', async () => {
  const sync = tab(await stored('元'))
  sync.edit({ content: '元に' })
  sync.flush()
  expect([...notes.values()]).toMatchObject([{ draft: { content: '元に' } }])
  await sync.save()
  expect(notes.size).toBe(0)
})

test('a draft that went with the storage is stored again from the page', async () => {
  const draft = await stored('画面に残る')
  const sync = tab(draft)
  await discardDraft(draft.id, AOI)
  await sync.restore()
  expect(await contents()).toEqual(['画面に残る'])
})

test('another tab submitted the draft: what only this one shows becomes a new draft', async () => {
  const draft = await stored('投稿される')
  const sync = tab(draft)
  await submitDraft(draft, NOW)
  sync.edit({ content: '投稿されるはずだった続き' })
  await sync.save()
  expect(events).toContain('submitted')
  expect(await sync.fork()).toBe(true)
  expect(await contents()).toEqual(['投稿されるはずだった続き'])
})
