// Filters of search results in the URL: valid ones are read, others ignored.
import { expect, test } from 'vitest'
import { filtersOf, readResultSearch } from './filters.ts'

test('reads the known filters, and no other parameters', () => {
  const given = { q: ' 猫 ', tab: 'people', type: 2, media: 'video', period: 'week', sort: 'x' }
  const read = readResultSearch(given)
  expect(read).toEqual({ q: '猫', tab: 'people', type: '2', media: 'video', period: 'week' })
  expect(filtersOf(read)).toEqual({ type: '2', media: 'video', period: 'week' })
})

test('invalid values are left out', () => {
  const given = { q: { a: 1 }, tab: 'all', type: '4', media: ['image'], period: '' }
  expect(readResultSearch(given)).toEqual({ q: '' })
})

test('a number becomes its text, and a long text its first hundred characters', () => {
  expect(readResultSearch({ q: 2026 }).q).toBe('2026')
  expect(Array.from(readResultSearch({ q: '𠮷'.repeat(300) }).q)).toHaveLength(100)
})
