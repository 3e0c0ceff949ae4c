// Tests the folding of names for transfer files, by a table and by properties.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { safeParse } from 'valibot'
import { accountNameCard } from '#contract/rules.ts'
import { cutTransferKana, foldTransferKana, TRANSFER_TEXT } from './transfer-kana.ts'

test.each([
  ['ヤマダ　タロウ', 'ﾔﾏﾀﾞ ﾀﾛｳ'],
  ['ヤマダ　ハナコ', 'ﾔﾏﾀﾞ ﾊﾅｺ'],
  ['キョウコ', 'ｷﾖｳｺ'],
  ['シュンペイ', 'ｼﾕﾝﾍﾟｲ'],
  ['ハットリ', 'ﾊﾂﾄﾘ'],
  ['ジェームズ', 'ｼﾞｴ-ﾑｽﾞ'],
  ['ヴィクトリア', 'ｳﾞｲｸﾄﾘｱ'],
  ['ファーム', 'ﾌｱ-ﾑ'],
  ['カ）トドケ', 'ｶ)ﾄﾄﾞｹ'],
  ['（カ', '(ｶ'],
  ['ＡＢＣ　ショウジ', 'ABC ｼﾖｳｼﾞ'],
  ['ａｂｃ', 'ABC'],
  ['Ｊ．スミス', 'J.ｽﾐｽ'],
  ['１２３', '123'],
  ['カヲル', 'ｶｵﾙ'],
  ['ヰノウエ', 'ｲﾉｳｴ'],
  ['ヱビス', 'ｴﾋﾞｽ'],
  ['シモツケ', 'ｼﾓﾂｹ'],
  ['セキガハラ', 'ｾｷｶﾞﾊﾗ'],
  ['イチヶヤ', 'ｲﾁｹﾔ'],
  ['ヵ', 'ｶ'],
  ['クヮ', 'ｸﾜ'],
  ['ゼロイチハチ', 'ｾﾞﾛｲﾁﾊﾁ'],
  ['ﾔﾏﾀﾞ ﾀﾛｳ', 'ﾔﾏﾀﾞ ﾀﾛｳ'],
  ['ｻﾄｳ ｦ', 'ｻﾄｳ ｵ'],
  ['ﾄｰﾏｽ', 'ﾄ-ﾏｽ'],
  ['パピプペポ', 'ﾊﾟﾋﾟﾌﾟﾍﾟﾎﾟ'],
  ['ダヂヅデド', 'ﾀﾞﾁﾞﾂﾞﾃﾞﾄﾞ'],
  ['ツキヂ', 'ﾂｷﾁﾞ'],
  ['ミナミ－１', 'ﾐﾅﾐ-1'],
  ['　スズキ　', 'ｽｽﾞｷ'],
  ['ハ\u3099カ', 'ﾊﾞｶ'],
])('%s becomes %s', (name, text) => {
  expect(foldTransferKana(name)).toEqual({ is: 'folded', text })
})

test.each([
  ['山田', '山'],
  ['やまだ', 'や'],
  ['ヤマダ・タロウ', '・'],
  ['ヤマダ☆', '☆'],
  ['ヷ', 'ヷ'],
  ['ア\u3099', '\u3099'],
  ['ヤマダ\nタ', '\n'],
  ['Ä', 'Ä'],
  // Its capital form has two letters.
  ['Aß', 'ß'],
  ['ヤ/マ', '／'],
  ['', ''],
  ['　', ''],
  ['😀', '😀'],
])('%j is refused for %j', (name, character) => {
  expect(foldTransferKana(name)).toEqual({ is: 'refused', character })
})

/** Names by the accountNameCard rule. */
const letters = Array.from('ァアィイヴヵヶガパポンヲッャーＡＺａｚ０９（）．　カキクケコハヒフヘホヤマダ')
const names = fc
  .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 100 })
  .map((it) => it.join(''))
  .filter((it) => safeParse(accountNameCard, it).success)

test('1,000 names fold to allowed characters, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(names, (name) => {
      const folded = foldTransferKana(name)
      if (folded.is === 'refused') throw new Error(`refused for ${folded.character}`)
      expect(folded.text).toMatch(TRANSFER_TEXT)
      expect(foldTransferKana(folded.text)).toEqual({ is: 'folded', text: folded.text.trim() })
    }),
    { numRuns: 1000, seed: 70 },
  )
})

test('a cut name fits, is the beginning of the name, and leaves no mark of the next kana behind', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 40 }), (name, bytes) => {
      const folded = foldTransferKana(name)
      if (folded.is === 'refused') throw new Error('refused')
      const cut = cutTransferKana(folded.text, bytes)
      expect(cut.length).toBeLessThanOrEqual(bytes)
      expect(cut.length).toBeGreaterThanOrEqual(Math.min(folded.text.length, bytes) - 1)
      expect(folded.text.startsWith(cut)).toBe(true)
      expect(folded.text.slice(cut.length)).not.toMatch(/^[ﾞﾟ]/)
      expect(cutTransferKana(cut, bytes)).toBe(cut)
    }),
    { numRuns: 1000, seed: 70 },
  )
})

test('a voiced kana at the end of the field is left out whole', () => {
  expect(cutTransferKana('ﾔﾏﾀﾞ', 3)).toBe('ﾔﾏ')
  expect(cutTransferKana('ﾔﾏﾀﾞ', 4)).toBe('ﾔﾏﾀﾞ')
})
