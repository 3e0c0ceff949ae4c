// Names by their look: letters in boxes are letters, and what separates words does not count.
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

test('what follows the letters of a block of boxes is no letter of it', () => {
  expect(skeletonOf('🅊')).toBe(skeletonOf('hv'))
})

test('a voiced mark is part of its kana', () => {
  expect(skeletonOf('ば')).not.toBe(skeletonOf('は'))
})

test('words are what is between spaces and signs; an empty one is none', () => {
  expect(wordsOf(' --tanaka__the / b ')).toEqual(['tanaka', 'the', 'b'].map(skeletonOf))
})
