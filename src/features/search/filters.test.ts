// The address of results: what it may say, and what is not taken from it.
import { expect, test } from 'vitest'
import { filtersOf, readResultSearch } from './filters.ts'

test('takes what results can be narrowed by, and nothing else', () => {
  const given = { q: ' 猫 ', tab: 'people', type: 2, media: 'video', period: 'week', sort: 'x' }
  const read = readResultSearch(given)
  expect(read).toEqual({ q: '猫', tab: 'people', type: '2', media: 'video', period: 'week' })
  expect(filtersOf(read)).toEqual({ type: '2', media: 'video', period: 'week' })
})

test('what is none is left out', () => {
  const given = { q: { a: 1 }, tab: 'all', type: '4', media: ['image'], period: '' }
  expect(readResultSearch(given)).toEqual({ q: '' })
})

test('a number is searched for as it was typed, and a long text by its first hundred characters', () => {
  expect(readResultSearch({ q: 2026 }).q).toBe('2026')
  expect(Array.from(readResultSearch({ q: '𠮷'.repeat(300) }).q)).toHaveLength(100)
})
