// A note of typed text survives closed pages, a second tab and a killed browser.
import 'fake-indexeddb/auto'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { readNote, writeNote } from '#device/drafts/notes.ts'
import { noteKey } from './own-notes.ts'
import { TypedNote } from './typed-note.ts'

const NAME = 'comments.post'
const schema = v.object({ typed: v.string(), at: v.number() })

let ownerId = ''
let rows: Map<string, string>
let page: EventTarget

beforeEach(() => {
  ownerId = newId()
  rows = new Map()
  page = new EventTarget()
  vi.stubGlobal('window', page)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => void rows.set(key, value),
    removeItem: (key: string) => void rows.delete(key),
  })
})

afterEach(() => vi.unstubAllGlobals())

/** The note as a page has it that opens the field now. */
const open = () =>
  new TypedNote(ownerId, NAME, {
    schema,
    empty: { typed: '', at: 0 },
    isEmpty: ({ typed }) => typed === '',
  })

const type = (typed: string) => open().change({ typed })

/** What the browser sends to this tab when another one has written the note. */
function sendStorageEvent(): void {
  page.dispatchEvent(Object.assign(new Event('storage'), { key: noteKey(ownerId, NAME) }))
}

test('text is in local storage when the key press ends, and in the database afterwards', async () => {
  type('書きか')
  expect(JSON.parse(defined(rows.get(noteKey(ownerId, NAME))))).toMatchObject({ typed: '書きか' })
  await expect.poll(() => readNote(ownerId, NAME, schema)).toMatchObject({ typed: '書きか' })
})

test('a second tab that opens the field shows the text of the first and deletes nothing', async () => {
  type('書きかけ')
  await expect.poll(() => readNote(ownerId, NAME, schema)).toMatchObject({ typed: '書きかけ' })
  const before = new Map(rows)
  const second = open()
  const stop = second.subscribe(() => undefined)
  expect(second.get().typed).toBe('書きかけ')
  await vi.dynamicImportSettled()
  expect(rows).toEqual(before)
  expect(await readNote(ownerId, NAME, schema)).toMatchObject({ typed: '書きかけ' })
  stop()
})

test('a tab shows what another tab types, unless its own text is newer', () => {
  const shown = open()
  const stop = shown.subscribe(() => undefined)
  type('ほかのタブ')
  sendStorageEvent()
  expect(shown.get().typed).toBe('ほかのタブ')
  shown.change({ typed: 'このタブ' })
  rows.set(noteKey(ownerId, NAME), JSON.stringify({ typed: '古い', at: shown.get().at - 1 }))
  sendStorageEvent()
  expect(shown.get().typed).toBe('このタブ')
  stop()
})

test('after a kill the newer copy of the database is shown and is in local storage again', async () => {
  await writeNote(ownerId, NAME, { typed: 'データベース', at: 2 })
  rows.set(noteKey(ownerId, NAME), JSON.stringify({ typed: 'データ', at: 1 }))
  const next = open()
  const stop = next.subscribe(() => undefined)
  await expect.poll(() => next.get().typed).toBe('データベース')
  expect(JSON.parse(defined(rows.get(noteKey(ownerId, NAME))))).toMatchObject({ typed: 'データベース' })
  stop()
})

test('a text written under a clock that was set back is newer than the one before', () => {
  type('一')
  const key = noteKey(ownerId, NAME)
  rows.set(key, JSON.stringify({ typed: '一', at: Date.now() + 86_400_000 }))
  const note = open()
  const before = note.get().at
  note.change({ typed: '一二' })
  expect(note.get().at).toBe(before + 1)
})
