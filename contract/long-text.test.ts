// Lengths of texts: characters as people count them, and no character of unlimited size.
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { fold, foldedPieces } from './fold.ts'
import { maxLength } from './rules.ts'

const ten = v.pipe(v.string(), maxLength(10))

test('ten characters of several units each are ten', () => {
  expect(v.is(ten, '👨‍👩‍👧‍👦'.repeat(10))).toBe(true)
  expect(v.is(ten, 'か\u3099'.repeat(10))).toBe(true)
  expect(v.is(ten, 'a'.repeat(11))).toBe(false)
  expect(v.is(ten, '👨‍👩‍👧‍👦'.repeat(11))).toBe(false)
})

test('one character of more combining marks than any writing has is too long', () => {
  expect(v.is(ten, `a${'\u0301'.repeat(199)}`)).toBe(true)
  expect(v.is(ten, `a${'\u0301'.repeat(200)}`)).toBe(false)
})

test('marks beyond thirty in a row do not count when text is folded', () => {
  const marks = (count: number) => `a${'\u0316\u0301'.repeat(count)}`
  expect(fold(marks(1000))).toBe(fold(marks(15)))
  expect(fold('が゛゛')).toBe('ガ\u3099\u3099')
})

test('the pieces of a run of voiced marks are the folded run', () => {
  const text = 'は゛゛゜か゛'
  expect(
    foldedPieces(text)
      .map((it) => it.folded)
      .join(''),
  ).toBe(fold(text))
})
