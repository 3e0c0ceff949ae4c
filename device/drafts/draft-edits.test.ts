// Edits of a draft in two tabs: an older revision never overwrites a newer one.
import 'fake-indexeddb/auto'
import { deleteDB, openDB } from 'idb'
import * as v from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import { type Change, onChange } from '#device/database/changes.ts'
import { readSetting } from '#device/session/settings.ts'
import { closeDatabase } from '#device/database/database.ts'
import { copyOf, editDraft, replaceForm, syncEdits } from './draft-edits.ts'
import { discardDraft, emptyDraft, listDrafts, readDraft } from './drafts.ts'
import { listJobs, submitDraft } from '#device/jobs/jobs.ts'
import type { Draft } from '#device/database/schema.ts'
import { addMedia } from '#device/files/media.ts'
import { pictureRow } from '#device/testing/picture-row.ts'
import { countUnreadable } from '#device/database/unreadable.ts'

const AOI = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

/** Writes in one tab: from the version it has seen. */
async function typed(base: Draft, content: string): Promise<Draft> {
  const end = await editDraft(base, { ...base, content }, NOW)
  if (end.is !== 'stored') throw new Error(end.is)
  return end.draft
}

const contents = async () => (await listDrafts(AOI)).map((it) => it.content).toSorted()
const sent = async () => (await listJobs(AOI)).map((it) => 'content' in it.form && it.form.content)

test('each write increases the revision', async () => {
  const first = await typed(emptyDraft(AOI, NOW), 'あ')
  const second = await typed(first, 'あい')
  expect([first.revision, second.revision]).toEqual([1, 2])
  expect(await readDraft(first.id, AOI)).toEqual(second)
})

test('a write based on an older revision is a conflict and changes nothing', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), 'はじめ')
  const newer = await typed(seen, 'はじめより長い')
  const end = await editDraft(seen, { ...seen, content: 'はじめ！' }, NOW)
  expect(end).toEqual({ is: 'conflict', stored: newer })
  expect(await contents()).toEqual(['はじめより長い'])
})

test('changes of different fields in two tabs are both stored', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '本文')
  await typed(seen, '本文を変えた')
  const end = await editDraft(seen, { ...seen, isAgeLimited: true }, NOW)
  expect(end).toMatchObject({ is: 'stored', draft: { content: '本文を変えた', isAgeLimited: true } })
})

test('a draft that was deleted from the device is stored whole again', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), '消された')
  await discardDraft(draft.id, AOI)
  await editDraft(draft, { ...draft, price: '500' }, NOW)
  expect(await readDraft(draft.id, AOI)).toMatchObject({ content: '消された', price: '500' })
})

test('the version that the person did not choose stays as a separate draft', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '元')
  const newer = await typed(seen, '向こう')
  const end = await replaceForm(newer, { ...seen, content: 'こちら' }, newId(), NOW)
  expect(end).toMatchObject({ is: 'stored', draft: { id: seen.id, content: 'こちら' } })
  expect(await contents()).toEqual(['こちら', '向こう'])
})

test('a choice about a version that has changed since is a conflict', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '元')
  const newer = await typed(seen, '向こう')
  const later = await typed(newer, '向こうの続き')
  const end = await replaceForm(newer, { ...seen, content: 'こちら' }, newId(), NOW)
  expect(end).toEqual({ is: 'conflict', stored: later })
  expect(await contents()).toEqual(['向こうの続き'])
})

test('the shown text is submitted even if its last change was never stored', async () => {
  const stored = await typed(emptyDraft(AOI, NOW), '古い文')
  expect(await submitDraft({ ...stored, content: '新しい文' }, NOW)).toMatchObject({ is: 'submitted' })
  expect(await sent()).toEqual(['新しい文'])
  expect(await readDraft(stored.id, AOI)).toMatchObject({ content: '新しい文' })
})

test('a draft that is no longer on the device is submitted as it is shown', async () => {
  const shown = { ...emptyDraft(AOI, NOW), content: '画面だけにある', revision: 4 }
  expect(await submitDraft(shown, NOW)).toMatchObject({ is: 'submitted' })
  expect(await sent()).toEqual(['画面だけにある'])
  expect(await readDraft(shown.id, AOI)).toMatchObject({ content: '画面だけにある' })
})

test('a submission is refused when the device has a newer version', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '古い')
  const newer = await typed(seen, '新しい')
  expect(await submitDraft(seen, NOW)).toEqual({ is: 'changed', stored: newer })
  expect(await sent()).toEqual([])
  expect(await contents()).toEqual(['新しい'])
})

test('a submission is refused when files have no rows, and names those files', async () => {
  const [picture, thumbnail] = [newId(), newId()]
  const shown = {
    ...emptyDraft(AOI, NOW),
    content: '写真つき',
    mediaIds: [picture],
    thumbnailId: thumbnail,
  }
  expect(await submitDraft(shown, NOW)).toEqual({ is: 'missing', mediaIds: [picture, thumbnail] })
  expect(await sent()).toEqual([])
})

test('a submission is refused while one of several files has no row', async () => {
  const base = emptyDraft(AOI, NOW)
  const there = pictureRow(base, { bytes: { is: 'stored', digest: '' } })
  const draft = await addMedia(base, there, NOW)
  if (!draft) throw new Error('the draft was not stored')
  const gone = newId()
  const shown = { ...draft, mediaIds: [there.id, gone] }
  expect(await submitDraft(shown, NOW)).toEqual({ is: 'missing', mediaIds: [gone] })
  expect(await sent()).toEqual([])
})

test('an unconverted photo that the shown draft does not name does not block its submission', async () => {
  const base = emptyDraft(AOI, NOW)
  const conversion = { is: 'pending', format: 'heic', keepSize: false, tries: 0 } as const
  const photo = pictureRow(base, { conversion })
  const draft = await addMedia(base, photo, NOW)
  if (!draft) throw new Error('the draft was not stored')
  expect(await submitDraft({ ...draft, content: '文だけ', mediaIds: [] }, NOW)).toMatchObject({
    is: 'submitted',
    job: { files: [], form: { kind: 'none' } },
  })
})

test('the revision of a submitted draft follows that of the stored one', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), 'あ')
  await typed(await typed(seen, 'あい'), 'あ')
  expect(await submitDraft(seen, NOW)).toMatchObject({ is: 'submitted' })
  expect(await readDraft(seen.id, AOI)).toMatchObject({ revision: 4 })
})

test('a draft of another build is neither changed nor submitted, and counted', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), '次の版')
  await closeDatabase()
  const raw = await openDB('todoke')
  const foreign = { ...draft, content: { blocks: ['次の版'] } }
  await raw.put('drafts', foreign)
  raw.close()
  expect(await editDraft(draft, { ...draft, content: '前の版' }, NOW)).toEqual({ is: 'unreadable' })
  expect(await submitDraft(draft, NOW)).toEqual({ is: 'unreadable' })
  expect(await listDrafts(AOI)).toEqual([])
  expect(await countUnreadable(AOI)).toEqual({ posts: 0, drafts: 1, acts: 0 })
  await closeDatabase()
  const after = await openDB('todoke')
  expect(await after.get('drafts', draft.id)).toEqual(foreign)
  after.close()
})

test('a write retains the fields that only another build knows', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), 'あ')
  await closeDatabase()
  const raw = await openDB('todoke')
  await raw.put('drafts', { ...draft, mood: 'calm' })
  raw.close()
  await typed(draft, 'あい')
  await closeDatabase()
  const after = await openDB('todoke')
  expect(await after.get('drafts', draft.id)).toMatchObject({ content: 'あい', mood: 'calm' })
  after.close()
})

test('a copy of a draft has its text and settings, and none of its files', () => {
  const draft = { ...emptyDraft(AOI, NOW), content: '写し', mediaIds: [newId()], revision: 3 }
  const copy = copyOf(draft, NOW + 1)
  expect(copy).toEqual({
    ...draft,
    id: copy.id,
    mediaIds: [],
    revision: 0,
    createdAt: NOW + 1,
    updatedAt: NOW + 1,
  })
  expect(copy.id).not.toBe(draft.id)
})

/** The changes that were announced while `work` ran. */
async function announced(work: () => Promise<unknown>): Promise<Change[]> {
  const emitted: Change[] = []
  const stop = onChange((change) => emitted.push(change))
  await work()
  stop()
  return emitted
}

test('an edit is announced; one that changes nothing is neither announced nor counted', async () => {
  const draft = emptyDraft(AOI, NOW)
  expect(await announced(() => editDraft(draft, { ...draft, content: 'あ' }, NOW))).toEqual([
    { store: 'drafts', id: draft.id },
  ])
  const stored = await readDraft(draft.id, AOI)
  if (!stored) throw new Error('the draft was not stored')
  expect(await announced(() => editDraft(stored, stored, NOW + 1))).toEqual([])
  expect(await readDraft(draft.id, AOI)).toEqual(stored)
})

test('a submitted draft is neither edited nor replaced', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), '送った文')
  await submitDraft(draft, NOW)
  const separate = newId()
  const emitted = await announced(async () => {
    expect(await editDraft(draft, { ...draft, content: '別の文' }, NOW)).toEqual({ is: 'submitted' })
    expect(await replaceForm(draft, { ...draft, content: '別の文' }, separate, NOW)).toEqual({
      is: 'submitted',
    })
  })
  expect(emitted).toEqual([])
  expect((await readDraft(draft.id, AOI))?.content).toBe('送った文')
  expect(await readDraft(separate, AOI)).toBeUndefined()
})

test('a draft of another person with the same id is neither edited nor replaced', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), '葵の文')
  const otherDraft = { ...draft, ownerId: newId(), content: '蓮の文' }
  expect(await editDraft(draft, otherDraft, NOW)).toEqual({ is: 'unreadable' })
  expect(await replaceForm(draft, otherDraft, newId(), NOW)).toEqual({ is: 'unreadable' })
  expect((await readDraft(draft.id, AOI))?.content).toBe('葵の文')
})

test('a choice is announced for both drafts, and a conflict for none', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '元')
  const newer = await typed(seen, '向こう')
  const separate = newId()
  expect(await announced(() => replaceForm(newer, { ...seen, content: 'こちら' }, separate, NOW))).toEqual([
    { store: 'drafts', id: seen.id },
    { store: 'drafts', id: separate },
  ])
  expect(await announced(() => replaceForm(newer, seen, newId(), NOW))).toEqual([])
})

test('a choice about a deleted draft stores the chosen version, and no draft for a version without text', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), ' \n')
  await discardDraft(seen.id, AOI)
  const separate = newId()
  const end = await replaceForm(seen, { ...seen, content: 'こちら' }, separate, NOW)
  expect(end).toMatchObject({ is: 'stored', draft: { id: seen.id, content: 'こちら' } })
  expect(await readDraft(separate, AOI)).toBeUndefined()
})

test('a separate draft of an earlier choice is overwritten by the newer text, unless it was submitted since', async () => {
  const seen = await typed(emptyDraft(AOI, NOW), '一')
  const separate = newId()
  await replaceForm(seen, { ...seen, content: 'こちら' }, separate, NOW)
  const again = await typed(await readDraft(seen.id, AOI).then((it) => it ?? seen), '二')
  await replaceForm(again, { ...again, content: 'こちら2' }, separate, NOW)
  expect((await readDraft(separate, AOI))?.content).toBe('二')
  const stored = await readDraft(separate, AOI)
  if (stored) await submitDraft(stored, NOW)
  const third = await typed(await readDraft(seen.id, AOI).then((it) => it ?? seen), '三')
  await replaceForm(third, { ...third, content: 'こちら3' }, separate, NOW)
  expect((await readDraft(separate, AOI))?.content).toBe('二')
})

test('a choice about a deleted draft is stored with any revision of the other version', async () => {
  const seen = await typed(await typed(emptyDraft(AOI, NOW), '一'), '二')
  await discardDraft(seen.id, AOI)
  const shown = { ...seen, content: 'こちら', revision: 1 }
  expect(await replaceForm(seen, shown, newId(), NOW)).toMatchObject({ is: 'stored' })
  expect(await contents()).toEqual(['こちら', '二'])
})

test('an edit is written relaxed, and a sync strictly', async () => {
  const draft = await typed(emptyDraft(AOI, NOW), 'あ')
  const opened = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await typed(draft, 'あい')
  await syncEdits(NOW)
  const written = opened.mock.calls.map(([, mode, options]) => [mode, options?.durability])
  opened.mockRestore()
  expect(written).toEqual([
    ['readwrite', 'relaxed'],
    ['readwrite', 'strict'],
  ])
  expect(await readSetting('drafts.synced', v.number())).toBe(NOW)
})
