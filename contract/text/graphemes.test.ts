// The length of a text is equal in the client and on the server.
import { expect, test } from 'vitest'
import { graphemesIn } from './graphemes.ts'

const rules = new Intl.Segmenter('ja')
const clusters = (text: string) => [...rules.segment(text)].length

test.each([
  ['nothing', '', 0],
  ['Latin letters', 'Hello, world!', 13],
  ['kana and kanji', '届け、ことば。', 7],
  ['lines', 'あ\nい\n', 4],
  ['full-width signs', '１２！？', 4],
  ['a family', '👨‍👩‍👧', 1],
  ['a flag', '🇯🇵', 1],
  ['a separate voiced mark', 'か\u3099', 1],
  ['a half-width voiced mark', 'ｶﾞ', 1],
  ['a line end of two signs', '\r\n', 1],
  ['a variant of a kanji', '葛\uDB40\uDD00', 1],
  ['an emoji made of a plain sign', '3\uFE0F\u20E3', 1],
])('%s: %j is %i long', (_what, text, length) => {
  expect(graphemesIn(text)).toBe(length)
})

test('two adjacent characters of the plain ranges are two clusters, by the rules of all languages', () => {
  const plain = Array.from({ length: 0xff5f }, (_, code) => String.fromCodePoint(code)).filter(
    (it) => graphemesIn(it) === 1 && it.length === 1,
  )
  expect(plain.length).toBeGreaterThan(20_000)
  expect(plain.filter((it) => graphemesIn(`あ${it}A`) !== clusters(`あ${it}A`))).toEqual([])
})
