// Drafts of one person are hidden from another person on the same device.
import 'fake-indexeddb/auto'
import { deleteDB } from 'idb'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { closeDatabase } from '#device/database/database.ts'
import { editDraft, replaceForm } from '#device/drafts/draft-edits.ts'
import { changeDraft, discardDraft, emptyDraft, readDraft } from '#device/drafts/drafts.ts'
import type { Draft } from '#device/database/schema.ts'

const AOI = newId()
const REN = newId()
const NOW = Date.parse('2026-03-05T03:30:00Z')

afterEach(async () => {
  await closeDatabase()
  await deleteDB('todoke')
})

async function draftOfAoi(): Promise<Draft> {
  const draft = await changeDraft(emptyDraft(AOI, NOW), (it) => ({ ...it, content: '葵の' }), NOW)
  if (!draft) throw new Error('the draft was not stored')
  return draft
}

test('a draft is not read for another person', async () => {
  const draft = await draftOfAoi()
  expect(await readDraft(draft.id, REN)).toBeUndefined()
})

test('a draft is not changed by another person’s draft with the same id', async () => {
  const draft = await draftOfAoi()
  const base = { ...draft, ownerId: REN }
  const edited = { ...base, content: '蓮の' }
  expect(await changeDraft(base, () => edited, NOW)).toBeUndefined()
  expect(await editDraft(base, edited, NOW)).toEqual({ is: 'unreadable' })
  expect(await replaceForm(base, edited, newId(), NOW)).toEqual({ is: 'unreadable' })
  expect(await readDraft(draft.id, AOI)).toEqual(draft)
})

test('a draft is not discarded for another person', async () => {
  const draft = await draftOfAoi()
  await discardDraft(draft.id, REN)
  expect(await readDraft(draft.id, AOI)).toEqual(draft)
})
