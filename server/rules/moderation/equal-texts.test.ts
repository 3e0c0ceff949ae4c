// Equal texts and links in texts.
import { expect, test } from 'vitest'
import { comparedText, hasLink } from './equal-texts.ts'

const base = 'ぜひ私のページも見てくださいね！100円です'

test.each([
  ['half-width kana and capitals', 'ぜひ私のページモ見てくださいね！100円です'],
  ['other digits', 'ぜひ私のページも見てくださいね！205円です'],
  ['other signs and spaces', 'ぜひ 私のページも、見てくださいね。　１００円です。。'],
  ['emoji', 'ぜひ私のページも見てくださいね😀100円です💴'],
  ['unseen signs', 'ぜひ\u200b私のページも見てくださいね！100円です'],
])('texts are equal with %s', (_, other) => {
  expect(comparedText(other)).toBe(comparedText(base))
})

test('another text is not equal, and a short one is not compared', () => {
  expect(comparedText('ぜひ私のページを見てくださいね！100円です')).not.toBe(comparedText(base))
  expect(comparedText('ぜひ私のページも見てくださいね！1000円です')).not.toBe(comparedText(base))
  for (const it of ['ありがとう！', '最高です！！！！！！', '😀😀😀😀😀😀😀😀😀😀😀😀😀', ''])
    expect(comparedText(it)).toBeUndefined()
  expect(comparedText('x.com')).toBe('xcom')
})

test('a text of 12 characters without signs is compared, one of 11 is not', () => {
  expect(comparedText('おはようございます、皆さん！')).toBe('オハヨウゴザイマス皆サン')
  expect(comparedText('おはようございます、皆さ！')).toBeUndefined()
})

test.each([
  ['https://spam.example/a', true],
  ['見て→http://a.b', true],
  ['ｈｔｔｐｓ：／／ｓｐａｍ.example', true],
  ['h\u200bttps://spam.example', true],
  ['www.spam.example', true],
  ['詳しくはspam-site.comへ', true],
  ['SPAM.JP', true],
  ['メールは a@spam.jp', false],
  ['12.5点でした', false],
  ['すごい...comedyですね', false],
  ['https:// とは', false],
  ['node.js と ver.2', false],
])('%s has a link: %s', (text, expected) => {
  expect(hasLink(text)).toBe(expected)
})

test('a long text without an end is read in linear time', () => {
  expect(hasLink(`${'a-'.repeat(50_000)}.${'com'.repeat(30_000)}`)).toBe(false)
})
