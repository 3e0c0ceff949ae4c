// The search index finds a text by every part of it, and by nothing else.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '#contract/text/fold.ts'
import { tokensOf } from '#contract/text/mentions.ts'
import { containsAll, searchable, searchablePerson, searchFor, searchTermsOf } from './search-grams.ts'

/** The match that the database makes. */
function finds(text: string, query: string): boolean {
  const terms = searchFor(searchTermsOf(query))
  if (!terms) return false
  const { folded, grams } = searchable(text)
  const lexemes = terms.tsquery.split(' & ').map((it) => ({
    prefix: it.endsWith(':*'),
    text: it.replace(/:\*$/, '').slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\'),
  }))
  return (
    lexemes.every((it) => grams.some((gram) => (it.prefix ? gram.startsWith(it.text) : gram === it.text))) &&
    terms.recheck.every((it) => folded.includes(it))
  )
}

describe('a text is found', () => {
  test.each([
    ['京都のラーメン屋さん', 'らーめん'],
    ['京都のラーメン屋さん', '京都 屋さん'],
    ['京都のラーメン屋さん', 'ん'],
    ['𠮷野家で𩸽', '𠮷野'],
    ['𠮷野家で𩸽', '𩸽'],
    ["It's 100%_ok\\", "'s 100% \\"],
    ['今日の #猫カフェ です', '#猫カフェ'],
    ['今日の #猫カフェ です', '猫'],
    ['#トロピカル〜ジュ 見た', '#トロピカル〜ジュ'],
    ['#トロピカル〜ジュ 見た', '＃とろぴかるーじゅ'],
    ['#メ～テレ', '#メ〜テレ'],
    ['#ジョン・レノン・ビートルズ', '#ｼﾞｮﾝ･ﾚﾉﾝ･ﾋﾞｰﾄﾙｽﾞ'],
    // No hashtags, and found as other texts are.
    ['C#入門と#1', 'c#入門'],
    ['C#入門と#1', '#1'],
    ['#カレ―です', '#カレ―で'],
  ])('%s by %s', (text, query) => expect(finds(text, query)).toBe(true))
})

describe('a text is not found', () => {
  test.each([
    ['京都のラーメン', '都京'],
    // The text has every pair of ababa, but not the word.
    ['abab ba', 'ababa'],
    ['今日の #猫カフェ です', '#猫'],
    ['#トロピカル〜ジュ', '#トロピカル'],
    ['#ジョン・レノン・ビートルズ', '#ジョン・レノン'],
    ['#ジョン・レノン', '#ジョン'],
    ['C#入門', '#入門'],
    ['京都のラーメン', ''],
    ['京都の\nラーメン', 'のラ'],
  ])('%s by %s', (text, query) => expect(finds(text, query)).toBe(false))
})

const written = fc
  .array(fc.constantFrom(...Array.from("あかガーｱ漢字猫𠮷👍aB0#_ \\'&|!:*()%")), { maxLength: 25 })
  .map((it) => it.join(''))

const anything = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 12 })
  .map((it) => String.fromCodePoint(...it))

describe('for any text', () => {
  test('each word of it finds it', () =>
    fc.assert(
      fc.property(written, written, (before, word) => {
        fc.pre(searchTermsOf(word).length > 0 && !/[#＃]/.test(word))
        expect(finds(`${before} ${word}`, word)).toBe(true)
      }),
    ))

  test('lexemes are distinct, not empty, and limited in number', () => {
    fc.assert(
      fc.property(anything, (it) => {
        const { grams } = searchable(it)
        expect(grams).not.toContain('')
        expect(new Set(grams).size).toBe(grams.length)
      }),
    )
    const endless = Array.from({ length: 60_000 }, (_, i) =>
      String.fromCodePoint(0x4e00 + (i % 20_000), 0x3400 + (i % 6_000)),
    ).join('')
    expect(searchable(endless).grams).toHaveLength(50_000)
  })
})

test('a person is found by name, by handle with its @, and by biography', () => {
  const person = searchablePerson({ name: 'ＨＡＮＡ', handle: 'hana_blue', bio: '海の写真' })
  expect([person.name, person.folded]).toEqual(['hana', 'hana @hana_blue 海ノ写真'])
  expect(person.grams).toEqual(searchable('HANA\n@hana_blue\n海の写真').grams)
  expect(searchablePerson({ name: 'Hana', handle: null, bio: '' }).folded).toBe('hana')
})

test('the entries of a text are its hashtags, its pairs and the last character of each word', () => {
  expect(searchable('あいう か').grams).toEqual(['アイ', 'イウ', 'ウ', 'カ'])
  expect(searchable('#海 ').grams).toEqual(['#海 ', '#海', '海'])
  expect(searchable('').grams).toEqual([])
})

test('only words of three characters or more are also compared with the text', () => {
  expect(searchFor(searchTermsOf('#あいう か かき かきく'))).toEqual({
    tsquery: "'#アイウ ' & 'カ':* & 'カキ' & 'カキ' & 'キク'",
    recheck: ['カキク'],
  })
  expect(searchFor([])).toBeUndefined()
})

test('the words of a search are folded, each once, ten at most', () => {
  const folded = (query: string) => searchTermsOf(query).map((it) => it.folded)
  expect(folded('  ねこ　ﾈｺ  Cat \u0000dog')).toEqual(['ネコ', 'cat', 'dog'])
  expect(folded(' \n　')).toEqual([])
  expect(folded(Array.from({ length: 20 }, (_, i) => `w${i}`).join(' '))).toHaveLength(10)
})

describe('the hashtags of any text', () => {
  const tagged = fc
    .array(
      fc.constantFrom(
        ...Array.from('#＃ #猫かガゝ々ー〜～゛゜゠・･·ヴァ髙１1①½_〃ß\u200c\u200d\ufe0f\u20e3👍、~'),
        '#',
      ),
      { maxLength: 20 },
    )
    .map((it) => it.join(''))
  const linksOf = (text: string) =>
    tokensOf(text).flatMap((it) => (it.is === 'hashtag' ? [`#${it.word}`] : []))

  test('find it by their links', () =>
    fc.assert(
      fc.property(fc.oneof(tagged, anything), (text) => {
        for (const link of linksOf(text)) {
          expect(finds(text, link)).toBe(true)
          expect(containsAll(text, searchTermsOf(link))).toBe(true)
        }
      }),
      { numRuns: 2000 },
    ))

  test('are not found by the link of another one', () =>
    fc.assert(
      fc.property(tagged, tagged, (text, other) => {
        const own = new Set(linksOf(text).map(fold))
        const foreign = linksOf(other).filter((it) => !own.has(fold(it)))
        expect(foreign.filter((it) => finds(text, it))).toEqual([])
      }),
      { numRuns: 2000 },
    ))
})
