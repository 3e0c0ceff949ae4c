// A tab stores its text in the draft or, in a conflict, a second draft.
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
  const noteStore = {
    save: (unsaved: UnsavedDraft) => void notes.set(unsaved.draft.id, unsaved),
    remove: (id: string) => void notes.delete(id),
  }
  const sync = new DraftSync(draft, noteStore, (event) => events.push(event))
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

/** Makes every write of a draft fail until the returned function is called. */
function failWrites(): () => void {
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  return () => put.mockRestore()
}

test('text that is typed during a write is stored after it', async () => {
  const draft = await stored('')
  const sync = tab(draft)
  for (const content of ['あ', 'あい', 'あいう']) sync.edit({ content })
  await sync.save()
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: 'あいう' })
  expect(sync.view()).toMatchObject({ unsaved: false, draft: { content: 'あいう' } })
})

test('a tab without unsaved changes shows the changes of another tab', async () => {
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

test('when two tabs typed, both texts are stored before and after the choice', async () => {
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
  await b.choose('shown')
  expect(b.view()).toMatchObject({ conflict: null, draft: { id: draft.id, content: '向こうの続き' } })
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '向こうの続き' })
  expect(await contents()).toEqual(['こちら', '向こうの続き'])
})

test('the chosen text of the other tab is shown, and this tab’s text is a separate draft', async () => {
  const draft = await stored('元')
  const [a, b] = [tab(draft), tab(draft)]
  a.edit({ content: 'こちら' })
  await a.save()
  b.edit({ content: '向こう' })
  await b.save()
  await b.choose('stored')
  expect(b.view()).toMatchObject({ conflict: null, draft: { id: draft.id, content: 'こちら' } })
  expect(await contents()).toEqual(['こちら', '向こう'])
})

test('text that the device refuses is marked unsaved and stored as a note', async () => {
  const draft = await stored('元')
  const sync = tab(draft)
  const restoreWrites = failWrites()
  sync.edit({ content: '入らない' })
  await sync.save()
  expect(sync.view().unsaved).toBe(true)
  expect(notes.get(draft.id)).toMatchObject({ base: { content: '元' }, draft: { content: '入らない' } })
  restoreWrites()
  await sync.save()
  expect(sync.view().unsaved).toBe(false)
  expect(notes.size).toBe(0)
  expect(await contents()).toEqual(['入らない'])
})

test('text is a note when the key press ends, until the database has it', async () => {
  const sync = tab(await stored('元'))
  sync.edit({ content: '元に' })
  expect([...notes.values()]).toMatchObject([{ base: { content: '元' }, draft: { content: '元に' } }])
  await sync.save()
  expect(notes.size).toBe(0)
})

test('text that was typed and deleted again before it was stored leaves no note', async () => {
  const sync = tab(await stored('元'))
  sync.edit({ content: '元に' })
  sync.edit({ content: '元' })
  expect(notes.size).toBe(0)
})

test('a page that ends stores its unsaved text as a note again that another tab took over', async () => {
  const draft = await stored('元')
  const sync = tab(draft)
  sync.edit({ content: '元に' })
  notes.clear()
  sync.flush()
  expect([...notes.values()]).toMatchObject([{ draft: { content: '元に' } }])
})

test('a draft that was evicted is stored again from the page', async () => {
  const draft = await stored('画面に残る')
  const sync = tab(draft)
  await discardDraft(draft.id, AOI)
  await sync.restore()
  expect(await contents()).toEqual(['画面に残る'])
})

test('when another tab submits the draft, this tab’s unsent text becomes a new draft', async () => {
  const draft = await stored('投稿される')
  const sync = tab(draft)
  await submitDraft(draft, NOW)
  sync.edit({ content: '投稿されるはずだった続き' })
  await sync.save()
  expect(events).toContain('submitted')
  expect(await sync.fork()).toBe(true)
  expect(await contents()).toEqual(['投稿されるはずだった続き'])
})
