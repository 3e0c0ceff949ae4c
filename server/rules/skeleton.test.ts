// Skeletons of names: lookalike letters are folded, and separators are ignored.
import { expect, test } from 'vitest'
import { skeletonOf, wordsOf } from './skeleton.ts'

test.each([
  ['🄰🄳🄼🄸🄽', 'admin'],
  ['🅐🅓🅜🅘🅝', 'admin'],
  ['🅰🅳🅼🅸🅽', 'admin'],
  ['🇦🇩🇲🇮🇳', 'admin'],
  ['🆉', 'z'],
  ['ＡＤＭＩＮ', 'admin'],
  ['a-d m_i.n', 'admin'],
  ['administrátor', 'administrator'],
])('%s looks like %s', (name, like) => expect(skeletonOf(name)).toBe(skeletonOf(like)))

test('characters after the letters of a block of boxed letters are unchanged', () => {
  expect(skeletonOf('🅊')).toBe(skeletonOf('hv'))
})

test('a voiced mark is part of its kana', () => {
  expect(skeletonOf('ば')).not.toBe(skeletonOf('は'))
})

test('words are separated by spaces and signs, and never empty', () => {
  expect(wordsOf(' --tanaka__the / b ')).toEqual(['tanaka', 'the', 'b'].map(skeletonOf))
})
