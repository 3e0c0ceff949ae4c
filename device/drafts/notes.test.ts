// Notes: stored by owner and name, written relaxed, and erased by owner.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import * as v from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { dropNote, eraseNotesIn, readNote, writeNote } from './notes.ts'

const [AOI, REN] = [newId(), newId()]
const text = v.string()

afterEach(async () => {
  vi.restoreAllMocks()
  await closeDatabase()
  await deleteDB('todoke')
})

test('a note is read by its owner and name, if it matches the schema', async () => {
  await writeNote(AOI, 'comment:1', '書きかけ')
  await writeNote(AOI, 'comment:2', '別の投稿')
  await writeNote(REN, 'comment:1', '蓮の')
  expect(await readNote(AOI, 'comment:1', text)).toBe('書きかけ')
  expect(await readNote(AOI, 'comment:2', text)).toBe('別の投稿')
  expect(await readNote(AOI, 'comment:3', text)).toBeUndefined()
  expect(await readNote(AOI, 'comment:1', v.number())).toBeUndefined()
})

test('a dropped note is deleted, and no other note', async () => {
  await writeNote(AOI, 'comment:1', '書きかけ')
  await writeNote(AOI, 'comment:2', '別の投稿')
  await dropNote(AOI, 'comment:1')
  expect(await readNote(AOI, 'comment:1', text)).toBeUndefined()
  expect(await readNote(AOI, 'comment:2', text)).toBe('別の投稿')
})

test('erasing deletes all notes of one person, and no other setting', async () => {
  await writeNote(AOI, '', '名なし')
  await writeNote(AOI, 'comment:1', '書きかけ')
  await writeNote(REN, 'comment:1', '蓮の')
  await transact(['settings'], 'readwrite', async (tx) => {
    await tx.objectStore('settings').put(1, 'note')
    await tx.objectStore('settings').put(2, 'zoom')
    await eraseNotesIn(tx, AOI)
  })
  const keys = await transact(['settings'], 'readonly', (tx) => tx.objectStore('settings').getAllKeys())
  expect(keys).toEqual(['note', `note:${REN}:comment:1`, 'zoom'])
})

test('notes are written and dropped relaxed: each key press writes one', async () => {
  await writeNote(AOI, 'comment:1', '書')
  const opened = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await writeNote(AOI, 'comment:1', '書き')
  await dropNote(AOI, 'comment:1')
  expect(opened.mock.calls.map(([, mode, options]) => [mode, options?.durability])).toEqual([
    ['readwrite', 'relaxed'],
    ['readwrite', 'relaxed'],
  ])
})
