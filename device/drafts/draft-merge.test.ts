// Two versions of a draft: which fields differ, and when they can be merged.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { mergeForm, sameForm, samePost, writtenText } from './draft-merge.ts'
import { emptyDraft } from './drafts.ts'

const base = { ...emptyDraft(newId(), 1), content: '本文', price: '300' }

test('two versions have the same form only if every field of it is equal', () => {
  expect(sameForm(base, { ...base, planIds: [] })).toBe(true)
  expect(sameForm(base, { ...base, price: '500' })).toBe(false)
  expect(sameForm(base, { ...base, content: '別', price: '500' })).toBe(false)
})

test('two versions become the same post only if their files are equal too', () => {
  const other = { ...base, mediaIds: [newId()] }
  expect(sameForm(base, other)).toBe(true)
  expect(samePost(base, other)).toBe(false)
  expect(samePost(base, { ...base, revision: 9, updatedAt: 9 })).toBe(true)
})

test('fields that only one version changed are merged', () => {
  const merged = mergeForm(base, { ...base, content: 'こちら' }, { ...base, price: '500' })
  expect(merged).toEqual({ ...base, content: 'こちら', price: '500' })
})

test('title and introduction are merged, and in conflict, as the text is', () => {
  const titled = mergeForm(base, { ...base, title: '題' }, { ...base, introduction: '紹介', content: '別' })
  expect(titled).toEqual({ ...base, title: '題', introduction: '紹介', content: '別' })
  expect(mergeForm(base, { ...base, title: '題' }, { ...base, title: '別の題' })).toBeUndefined()
  expect(sameForm(base, { ...base, introduction: '紹介' })).toBe(false)
})

test('what was written is every text of a draft, without blank ones', () => {
  expect(writtenText({ title: '題', introduction: '紹介', content: '本文' })).toBe('題\n紹介\n本文')
  expect(writtenText({ title: ' ', introduction: '', content: ' \n' })).toBe('')
})

test('one field with two new values is a conflict, even if other fields can be merged', () => {
  const shown = { ...base, content: 'こちら', isAgeLimited: true, commentsClosed: true }
  expect(mergeForm(base, shown, { ...base, content: '向こう' })).toBeUndefined()
  expect(mergeForm(base, shown, { ...base, content: 'こちら' })).toEqual({ ...shown })
})
