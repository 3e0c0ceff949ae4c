// The upgrade moves quarantined rows back; a lost file gets a new id.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase, transact } from '#device/database/database.ts'
import { changeDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import { addMedia, listMedia, replaceMedia } from '#device/files/media.ts'
import { migrations } from '#device/database/migrations.ts'
import type { DeviceSchema } from '#device/database/stores.ts'
import { countUnreadable } from '#device/database/unreadable.ts'
import { pictureRow } from '#device/testing/picture-row.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

test('a quarantined row is moved back, and does not replace a newer one', async () => {
  const before = migrations.slice(0, 8)
  const old = await openDB<DeviceSchema>('todoke', before.length, {
    upgrade: (db, _from, _to, tx) => {
      for (const upgrade of before) void upgrade(db, tx)
    },
  })
  const moved = { id: newId(), ownerId: AOI, facts: 'of another version' }
  const draft = { ...emptyDraft(AOI, NOW), content: '新しい' }
  await old.put('drafts', draft)
  await old.add('broken', { store: 'jobs', key: moved.id, row: moved, at: NOW })
  await old.add('broken', { store: 'removed', key: 'a', row: { id: 'a' }, at: NOW })
  await old.add('broken', { store: 'drafts', key: draft.id, row: { ...draft, content: 0 }, at: NOW })
  old.close()
  expect(await countUnreadable(AOI)).toEqual({ posts: 1, drafts: 0, acts: 0 })
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '新しい' })
  expect(await transact(['broken'], 'readonly', (tx) => tx.objectStore('broken').count())).toBe(0)
})

test('a file whose row was deleted is replaced at its position; one with a row is not', async () => {
  const base = emptyDraft(AOI, NOW)
  const [first, second] = [pictureRow(base), pictureRow(base)]
  await addMedia(base, first, NOW)
  await addMedia(base, second, NOW)
  await transact(['media'], 'readwrite', (tx) => tx.objectStore('media').delete(first.id))
  const again = { ...first, id: newId() }
  expect(await replaceMedia(second.id, again, NOW)).toBeUndefined()
  const draft = await replaceMedia(first.id, again, NOW)
  expect(draft?.mediaIds).toEqual([again.id, second.id])
  expect((await listMedia(base.id)).map((it) => it.id).toSorted()).toEqual([again.id, second.id].toSorted())
  await changeDraft(base, (it) => ({ ...it, mediaIds: [second.id] }), NOW)
  expect(await replaceMedia(again.id, pictureRow(base), NOW)).toBeUndefined()
})
