// Searches that are never shown to others.
import { expect, test } from 'vitest'
import { countable } from './searched-words.ts'

test('a search is counted folded and shown as written', () => {
  expect(countable(' らーめん　京都 ')).toEqual({ word: 'ラーメン 京都', written: 'らーめん 京都' })
  expect(countable('#猫カフェ')).toEqual({ word: '#猫カフェ', written: '#猫カフェ' })
  expect(countable('2026年')).toEqual({ word: '2026年', written: '2026年' })
})

test.each([
  ['one character', '猫'],
  ['a long sentence', 'あ'.repeat(31)],
  ['a mail address', 'taro@example.com'],
  ['a full-width mail address', 'ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍ'],
  ['a handle', '@mio_sea'],
  ['a link', 'https://example.com/x'],
  ['a domain', 'example.com'],
  ['a phone number', '090-1234-5678'],
  ['a full-width phone number', '０９０ー１２３４ー５６７８'],
  ['a phone number among words', '田中 03 1234 5678'],
  ['a card number', '4242 4242 4242 4242'],
  ['nothing', '　'],
])('%s is not counted', (_, query) => expect(countable(query)).toBeUndefined())

test('two characters and thirty are counted', () => {
  expect(countable('猫カ')?.word).toBe('猫カ')
  expect(countable('あ'.repeat(30))?.word).toHaveLength(30)
})

test('any number of spaces between two words is written as one', () => {
  expect(countable('京都 \t　ラーメン')?.written).toBe('京都 ラーメン')
})
