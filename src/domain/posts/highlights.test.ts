// Marks the characters of a search result that match the searched words.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { termsOf } from '#contract/text/fold.ts'
import { markedPieces } from './highlights.ts'

const marksOf = (text: string, query: string) =>
  markedPieces(text, termsOf(query))
    .map((it) => (it.marked ? `[${it.text}]` : it.text))
    .join('')

test.each([
  ['京都のﾗｰﾒﾝ屋', 'らーめん', '京都の[ﾗｰﾒﾝ]屋'],
  ['すごーーーい!', 'すご〜い', '[すごーーーい]!'],
  ['ガとか゛', 'が', '[ガ]と[か゛]'],
  ['㍿とどけ', '株式会社', '[㍿]とどけ'],
  ['㍿とどけ', '式会', '㍿とどけ'],
  ['𠮷野家で𩸽', '𩸽', '𠮷野家で[𩸽]'],
  ['Mio と ＭＩＯ', 'mio', '[Mio] と [ＭＩＯ]'],
  ['#猫カフェ と猫', '#猫カフェ 猫', '[#猫カフェ] と[猫]'],
  ['ababa', 'aba', '[ababa]'],
  ['なにもない', 'xyz', 'なにもない'],
  ['なにもない', '', 'なにもない'],
])('%s by %s: %s', (text, query, marked) => expect(marksOf(text, query)).toBe(marked))

test('the pieces together are the whole text', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('か', '゛', 'ー', '〜', ' ', '\n', '👨‍👩‍👧', '𠮷', 'ｶﾞ', 'A', '\u200b')),
      (it) => {
        const text = it.join('')
        const pieces = markedPieces(text, termsOf('か ー 𠮷'))
        expect(pieces.map((piece) => piece.text).join('')).toBe(text)
      },
    ),
  ))
