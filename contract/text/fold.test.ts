// Folding: spellings of one word, and laws that hold for any text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, foldedPieces, termsOf } from './fold.ts'
import { kanjiGroups } from './kanji-forms.ts'

describe('spellings that search treats as equal', () => {
  test.each([
    ['ラーメン', 'らーめん'],
    ['ラーメン', 'ﾗｰﾒﾝ'],
    ['がぎぐ', 'ｶﾞｷﾞｸﾞ'],
    ['が', 'か゛'],
    ['ぱ', 'は゜'],
    ['ヴ', 'う゛'],
    ['ヷ', 'わ゛'],
    ['ＡＢＣ１２３', 'abc123'],
    ['すごーーーい', 'すご〜い'],
    ['コーヒー', 'コ−ヒ―'],
    ['コーヒー', 'コ～ヒ～'],
    ['㍿トドケ', '株式会社とどけ'],
    ['葛\u{E0100}飾', '葛飾'],
    ['❤️', '❤'],
    ['👨‍👩‍👧', '👨👩👧'],
    ['👍🏽', '👍'],
    ['ΣΑΣ', 'σας'],
    ['σασ', 'σας'],
    ['猫\u200bカフェ', '猫カフェ'],
    ['朝\r\n 昼　夜', '朝 昼 夜'],
    ['＃猫', '#猫'],
    ['ゝ', 'ヽ'],
    ['髙橋', '高橋'],
    ['宮﨑', '宮崎'],
    ['渡邉と渡邊', '渡辺と渡辺'],
    ['齋藤と齊藤', '斎藤と斉藤'],
    ['濵田と濱田', '浜田と浜田'],
    ['德川', '徳川'],
    ['𠮷野家', '吉野家'],
    ['國學院', '国学院'],
    ['瀧澤龍', '滝沢竜'],
    ['廣瀨櫻', '広瀬桜'],
    ['髙𣘺と靏田', '高橋と鶴田'],
    ['龜井淸と圡屋', '亀井清と土屋'],
    ['槇原敬之と鷗外', '槙原敬之と鴎外'],
    ['ヴァイオリン', 'バイオリン'],
    ['う゛ぃーなす', 'ビーナス'],
    ['ｳﾞｪﾈﾁｱ', 'ベネチア'],
    ['レヴュー', 'レビュー'],
    ['ラヴ', 'ラブ'],
  ])('%s = %s', (one, other) => expect(fold(one)).toBe(fold(other)))
})

describe('spellings that search treats as different', () => {
  test.each([
    ['かき', 'がき'],
    ['びよういん', 'びょういん'],
    ['おばさん', 'おばーさん'],
    ['猫', '描'],
    ['は', 'ぱ'],
    ['大坂', '大阪'],
    ['河合', '川合'],
    ['太田', '大田'],
    ['芸', '花'],
    ['ブァ', 'バ'],
  ])('%s ≠ %s', (one, other) => expect(fold(one)).not.toBe(fold(other)))
})

/** Typical Japanese texts: kana of both widths, marks, kanji also beyond the BMP, emoji, Latin, spaces. */
const character = fc.constantFrom(
  ...Array.from(
    '\u200bあかがぱゔぁっゃーゝアカガヴァュッｱｶﾊ漢髙邊字猫𠮷𩸽👍～〜−‐―~-aAｚＺé0９#＃_ 　\n「」',
  ),
  '👍🏽',
  'ｶﾞ',
  'ﾊﾟ',
  'か\u3099',
  '葛\u{E0100}',
  '👨‍👩‍👧',
  '❤️',
)
const written = fc.array(character, { maxLength: 30 }).map((it) => it.join(''))

/** Any code points, halves of surrogate pairs among them. */
const anything = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
  .map((it) => String.fromCodePoint(...it))

describe('for any text', () => {
  test('folding twice changes nothing', () =>
    fc.assert(
      fc.property(anything, (it) => {
        expect(fold(fold(it))).toBe(fold(it))
      }),
      { numRuns: 2000 },
    ))

  test('no half of a surrogate pair, no control and no double space is left', () =>
    fc.assert(
      fc.property(anything, (it) => {
        expect(fold(it)).not.toMatch(/[\p{Cs}\p{Cc}]|^ | $| {2}/u)
      }),
    ))

  test('a part of the text folds to a part of the folded text', () =>
    fc.assert(
      fc.property(written, written, written, (before, it, after) => {
        // A mark or a small vowel that changes the character before it is no place to cut.
        const joins = /^[\p{M}ﾞﾟ゛゜ぁァュ]/u
        fc.pre(!joins.test(it) && !joins.test(after))
        expect(fold(before + it + after)).toContain(fold(it))
      }),
    ))
})

test.each([
  ['typical', written],
  ['any', anything],
])('the pieces of a text of %s characters fold to the folded text', (_, texts) =>
  fc.assert(
    fc.property(texts, (it) => {
      const pieces = foldedPieces(it)
      expect(fold(pieces.map(({ folded }) => folded).join(''))).toBe(fold(it))
      expect(pieces.map(({ start, end }) => it.slice(start, end)).join('')).toBe(it)
    }),
    { numRuns: 1000 },
  ),
)

describe('the words of a search', () => {
  test('are folded, each once, ten at most', () => {
    expect(termsOf('  ねこ　ﾈｺ  Cat ')).toEqual(['ネコ', 'cat'])
    expect(termsOf(' \n　')).toEqual([])
    expect(termsOf(Array.from({ length: 20 }, (_, i) => `w${i}`).join(' '))).toHaveLength(10)
  })
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

test('of a long run of voiced marks the first one joins the character, and the others follow', () => {
  expect(foldedPieces(`は${'゛'.repeat(1000)}ー`)).toEqual([
    { folded: `バ${'\u3099'.repeat(999)}`, start: 0, end: 1001 },
    { folded: 'ー', start: 1001, end: 1002 },
  ])
})

test('each form of a kanji is in one group, and no other folding unites it', () => {
  const forms = kanjiGroups.flat()
  expect(forms.filter((it, place) => forms.indexOf(it) !== place)).toEqual([])
  expect(forms.filter((it) => it.normalize('NFKC') !== it || !/^\p{sc=Han}$/u.test(it))).toEqual([])
  expect(kanjiGroups.filter((it) => it.length < 2)).toEqual([])
})

test('pieces lead from the folded text back to the text', () => {
  const piecesOf = (text: string) => foldedPieces(text).map((it) => [it.folded, it.start, it.end])
  expect(piecesOf('か゛ー〜ー')).toEqual([
    ['ガ', 0, 2],
    ['ー', 2, 5],
  ])
  expect(piecesOf('あ\n\u200bい')).toEqual([
    ['ア', 0, 1],
    [' ', 1, 2],
    ['', 2, 3],
    ['イ', 3, 4],
  ])
  expect(piecesOf('゛か゛゛')).toHaveLength(2)
  expect(piecesOf('髙ヴ\u200bァう゛ぃヴ')).toEqual([
    ['高', 0, 1],
    ['バ', 1, 4],
    ['ビ', 4, 7],
    ['ブ', 7, 8],
  ])
  // A dot reph (U+0D4E) begins the character of what follows it, here of the voiced mark.
  expect(piecesOf('か\u0d4e゛')).toEqual([
    ['カ', 0, 1],
    ['\u0d4e\u3099', 1, 3],
  ])
})

test('the pieces of a run of long vowel marks are one, and what follows stays', () => {
  const piecesOf = (text: string) => foldedPieces(text).map((it) => [it.folded, it.start, it.end])
  expect(piecesOf('ー〜き')).toEqual([
    ['ー', 0, 2],
    ['キ', 2, 3],
  ])
  expect(piecesOf('㌍ー')).toEqual([['カロリー', 0, 2]])
  expect(piecesOf('ー\u200bー')).toEqual([
    ['ー', 0, 1],
    ['', 1, 3],
  ])
})

test.each([
  'あ\u0000い',
  'あ\ud800い',
  'あ\u0600 い',
  'あ\ufeffい',
  'あ\r\nい',
  'あ \u0301い',
  'あ ゛い',
  'あ¨い',
])('the pieces of %j have a gap where the folded text has one', (text) => {
  expect(
    foldedPieces(text)
      .map((it) => it.folded)
      .join(''),
  ).toBe(fold(text))
})
