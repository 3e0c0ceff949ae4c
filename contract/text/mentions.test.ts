// Where links, hashtags and mentions begin and end in what people write.
import { expect, test } from 'vitest'
import { growthOf, LINEAR } from '#contract/testing/growth.ts'
import { handlesIn, tokensOf } from './mentions.ts'

/** The tokens that are not plain text, as they are in the text. */
const found = (text: string) =>
  tokensOf(text).flatMap((it) => (it.is === 'plain' ? [] : [`${it.is} ${it.text}`]))

test.each([
  ['詳しくはhttps://example.com/aをご覧ください', ['link https://example.com/a']],
  ['（https://example.com/a）', ['link https://example.com/a']],
  ['「https://example.com/」', ['link https://example.com/']],
  ['https://example.com/a。次', ['link https://example.com/a']],
  [
    'See https://example.com/a. Or https://example.com/b, ok?',
    ['link https://example.com/a', 'link https://example.com/b'],
  ],
  ['(https://example.com/a_(b))', ['link https://example.com/a_(b)']],
  ['https://example.com/a?b=c&d=%E3%81%82#e', ['link https://example.com/a?b=c&d=%E3%81%82#e']],
  ['HTTP://EXAMPLE.COM/', ['link HTTP://EXAMPLE.COM/']],
  ['https://example.com/@taro/#hana', ['link https://example.com/@taro/#hana']],
  ['https://example.com/花', ['link https://example.com/花']],
  ['https://ja.wikipedia.org/wiki/東京タワー、見た', ['link https://ja.wikipedia.org/wiki/東京タワー']],
  [
    'https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)',
    ['link https://ja.wikipedia.org/wiki/東京_(曖昧さ回避)'],
  ],
  ['（https://ja.wikipedia.org/wiki/ジョン・レノン）', ['link https://ja.wikipedia.org/wiki/ジョン・レノン']],
  ['https://example.com/s?q=東京&l=ja です', ['link https://example.com/s?q=東京&l=ja']],
  ['https://example.com/製品/カメラ/1へ', ['link https://example.com/製品/カメラ/1']],
  ['https://example.com/をご覧ください', ['link https://example.com/']],
  ['https://example.com/blog/に書きました', ['link https://example.com/blog/']],
  ['https://example.comに書きました', ['link https://example.com']],
  ['https://example.com/a?b=をご覧', ['link https://example.com/a?b=']],
  ['http://日本語.jp/about を見て', ['link http://日本語.jp/about']],
  ['http://日本語.jpをご覧ください', ['link http://日本語.jp']],
  ['http://www.お名前-1.com。', ['link http://www.お名前-1.com']],
  ['https://ja.wikipedia.org/wiki/東京', ['link https://ja.wikipedia.org/wiki/東京']],
  ['「https://ja.wikipedia.org/wiki/東京」', ['link https://ja.wikipedia.org/wiki/東京']],
  ['https://ja.wikipedia.org/wiki/東京。次に', ['link https://ja.wikipedia.org/wiki/東京']],
  ['https://ja.wikipedia.org/wiki/東京（首都）', ['link https://ja.wikipedia.org/wiki/東京']],
  ['https://ja.wikipedia.org/wiki/東京！', ['link https://ja.wikipedia.org/wiki/東京']],
  [
    '（https://ja.wikipedia.org/wiki/日本_(曖昧さ回避)）',
    ['link https://ja.wikipedia.org/wiki/日本_(曖昧さ回避)'],
  ],
  [
    '(https://ja.wikipedia.org/wiki/日本_(曖昧さ回避))',
    ['link https://ja.wikipedia.org/wiki/日本_(曖昧さ回避)'],
  ],
  ['(https://ja.wikipedia.org/wiki/東京)', ['link https://ja.wikipedia.org/wiki/東京']],
  ['https://ja.wikipedia.org/wiki/鬼滅の刃 読んだ', ['link https://ja.wikipedia.org/wiki/鬼滅の刃']],
  ['https://ja.wikipedia.org/wiki/となりのトトロ　', ['link https://ja.wikipedia.org/wiki/となりのトトロ']],
  ['https://ja.wikipedia.org/wiki/を見て', ['link https://ja.wikipedia.org/wiki/']],
  ['https://ja.wikipedia.org/wiki/2026年の日本', ['link https://ja.wikipedia.org/wiki/2026年の日本']],
  [
    'https://ja.wikipedia.org/wiki/Category:日本の漫画家',
    ['link https://ja.wikipedia.org/wiki/Category:日本の漫画家'],
  ],
  ['https://ja.wikipedia.org/wiki/トロピカル〜ジュ', ['link https://ja.wikipedia.org/wiki/トロピカル〜ジュ']],
  ['https://ja.wikipedia.org/wiki/〆切', ['link https://ja.wikipedia.org/wiki/〆切']],
  ['https://ja.wikipedia.org/wiki/東京〜！', ['link https://ja.wikipedia.org/wiki/東京']],
  ['https://ru.wikipedia.org/wiki/Москва', ['link https://ru.wikipedia.org/wiki/Москва']],
  [
    'https://ja.wikipedia.org/wiki/東京・https://example.com/a・',
    ['link https://ja.wikipedia.org/wiki/東京', 'link https://example.com/a'],
  ],
  ['https://www.pixiv.net/tags/ゆるキャン/artworks', ['link https://www.pixiv.net/tags/ゆるキャン/artworks']],
  ['https://example.com/s?q=東京+花火&r=1', ['link https://example.com/s?q=東京+花火&r=1']],
  ['https://example.comとexample.orgに', ['link https://example.com']],
  ['https://example.co.jpとhttps://a.jpへ', ['link https://example.co.jp', 'link https://a.jp']],
  ['https://abc日本.jp/', ['link https://abc日本.jp/']],
  ['https://はじめよう.みんな', ['link https://はじめよう.みんな']],
  ['https://はじめよう.みんなを見て', ['link https://はじめよう.みんな']],
  ['https://例え.テスト/メインページ', ['link https://例え.テスト/メインページ']],
  ['https://例え.テストを見て', []],
  ['https://пример.рф', ['link https://пример.рф']],
  ['https://xn--wgv71a119e.jp/', ['link https://xn--wgv71a119e.jp/']],
  ['http://日本語 http://日本語.', []],
  ['https://localhost/ https:// https://.', []],
  ['javascript://example.com/%0Aalert(1)', []],
  ['ahttps://example.com/', []],
  ['https://bank.example.com@evil.example/ へ', []],
])('addresses in %j', (text, links) => {
  expect(found(text)).toEqual(links)
})

test.each([
  ['#花火 が上がる', ['hashtag #花火']],
  ['きょうは#花火、あすは＃海', ['hashtag #花火', 'hashtag ＃海']],
  ['#ジョン・レノン・', ['hashtag #ジョン・レノン']],
  ['#ラーメンー々〆_2026', ['hashtag #ラーメンー々〆_2026']],
  ['#が', ['hashtag #が']],
  ['#花火🎆です', ['hashtag #花火']],
  ['🎆#花火', ['hashtag #花火']],
  ['#1 #２０２６ #1_2 #_ #〃 #①', []],
  ['#トロピカル〜ジュ 見た', ['hashtag #トロピカル〜ジュ']],
  ['#メ～テレ を見て〜', ['hashtag #メ～テレ']],
  ['#花火〜！', ['hashtag #花火']],
  ['#〜花火 #・犬', ['hashtag #〜花火', 'hashtag #・犬']],
  ['#〜〜 #・ #゛', []],
  ['#トワイライト゠ゾーン', ['hashtag #トワイライト゠ゾーン']],
  ['#\ufe0f\u20e3猫 #\u20e3猫', []],
  ['#https://example.com/', ['link https://example.com/']],
  ['#httpsの話', ['hashtag #httpsの話']],
  ['#ｼﾞｮﾝ･ﾚﾉﾝ･', ['hashtag #ｼﾞｮﾝ･ﾚﾉﾝ']],
  ['#あ゛ あ゛', ['hashtag #あ゛']],
  ['#いすゞ #学問のすゝめ #各〃', ['hashtag #いすゞ', 'hashtag #学問のすゝめ', 'hashtag #各〃']],
  ['#il·lusió·', ['hashtag #il·lusió']],
  ['#עַל־יְדֵי #וכו׳', ['hashtag #עַל־יְדֵי', 'hashtag #וכו׳']],
  ['#བོད་སྐད་', ['hashtag #བོད་སྐད་']],
  ['#می\u200cخواهم\u200c です', ['hashtag #می\u200cخواهم']],
  ['#1位', ['hashtag #1位']],
  ['C#入門 と F#', []],
  ['## # ＃', []],
  ['#a#b', ['hashtag #a']],
  [`#${'あ'.repeat(100)}`, [`hashtag #${'あ'.repeat(100)}`]],
  [`#${'あ'.repeat(101)}`, []],
])('hashtags in %j', (text, tags) => {
  expect(found(text)).toEqual(tags)
})

test.each([
  ['@hikari さんと', ['mention @hikari']],
  ['ありがとう＠hikariさん', ['mention ＠hikari']],
  ['@Hikari_01、@sora。', ['mention @Hikari_01', 'mention @sora']],
  ['(@hikari)', ['mention @hikari']],
  ['hikari@example.com', []],
  ['hikari＠example.com', []],
  ['a.b+c-@example.com', []],
  ['@hikari@example.com', []],
  ['@ab', []],
  [`@${'a'.repeat(21)}`, []],
  ['@@hikari', []],
  ['example.com/@hikari', []],
])('mentions in %j', (text, names) => {
  expect(found(text)).toEqual(names)
})

test('the handles of a text are in lower case, each once, at most fifty', () => {
  expect(handlesIn('@Hikari @hikari ＠sora')).toEqual(['hikari', 'sora'])
  expect(handlesIn('＠sora さんへ')).toEqual(['sora'])
  const many = Array.from({ length: 60 }, (_, i) => `@user_${i}`).join(' ')
  expect(handlesIn(many)).toHaveLength(50)
})

test('the parts together are the whole text', () => {
  const text = '🎆 #花火@ https://example.com/a). @hikari ＃海👨‍👩‍👧 a@b.c @x'
  expect(
    tokensOf(text)
      .map((it) => it.text)
      .join(''),
  ).toBe(text)
})

test('no part of a text is empty', () => {
  const [tag, name] = [
    { is: 'hashtag', text: '#花火', word: '花火' },
    { is: 'mention', text: '@Sora', handle: 'sora' },
  ]
  expect(tokensOf('')).toEqual([])
  expect(tokensOf('#花火')).toEqual([tag])
  expect(tokensOf('#花火、@Sora')).toEqual([tag, { is: 'plain', text: '、' }, name])
  const url = 'https://example.com/'
  expect(tokensOf(`${url}#花火@Sora`)).toEqual([
    { is: 'link', text: `${url}#`, url: new URL(`${url}#`) },
    { is: 'plain', text: '花火' },
    name,
  ])
})

test.each([
  '#',
  '@',
  '#1',
  'https://a',
  'https://あ.',
  '花',
  '/花(',
  'https://example.com/)',
  '@aaa@',
  'a.',
  '(',
  '・#あ・',
  '#・',
  '/wiki/あ',
  'あ.い',
  'https://あ.い',
])('the time to read %j grows as its number does', async (part) => {
  expect(await growthOf(tokensOf, part)).toBeLessThanOrEqual(LINEAR)
  const inLink = (text: string) => tokensOf(`https://example.com/${text}`)
  expect(await growthOf(inLink, part)).toBeLessThanOrEqual(LINEAR)
})

test.each([
  ['https://example.com/a_(b)', 'https://example.com/a_(b)'],
  ['(https://example.com/a_(b))', 'https://example.com/a_(b)'],
  ['[https://example.com/a]', 'https://example.com/a'],
  ['https://example.com/[a]', 'https://example.com/[a]'],
  ['https://example.com/a)])', 'https://example.com/a'],
  ['https://example.com/a)b', 'https://example.com/a)b'],
  ['https://example.com/a]b]', 'https://example.com/a]b'],
  ['https://example.com/a.,:;!?*~', 'https://example.com/a'],
])('in %s the address is %s', (text, link) => expect(found(text)).toEqual([`link ${link}`]))

test.each(['https://todoke.test@evil.example/', 'https://a:b@evil.example/', 'https://:b@evil.example/'])(
  '%s pretends to be another address and is none',
  (text) => expect(found(text).filter((it) => it.startsWith('link'))).toEqual([]),
)

test('a text that names no person has no handles', () => {
  expect(handlesIn('海')).toEqual([])
  expect(handlesIn('a＠')).toEqual([])
})
