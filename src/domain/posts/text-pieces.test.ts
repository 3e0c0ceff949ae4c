// Cuts a user's text into pieces for the screen.
import { expect, test } from 'vitest'
import { textPieces } from './text-pieces.ts'

const hikari = { handle: 'hikari', id: '0190f0a8-0000-7000-8000-000000000001' }

test('words, links, hashtags and mentions are in the order of the text', () => {
  expect(textPieces('＠Hikari さん、#花火 は https://www.example.com/ で', [hikari])).toEqual([
    { is: 'mention', text: '＠Hikari', personId: hikari.id },
    { is: 'plain', text: ' さん、' },
    { is: 'hashtag', text: '#花火', q: '#花火' },
    { is: 'plain', text: ' は ' },
    { is: 'link', text: 'example.com', href: 'https://www.example.com/' },
    { is: 'plain', text: ' で' },
  ])
})

test('a handle without a person stays plain text', () => {
  expect(textPieces('やあ @sora です', [hikari])).toEqual([{ is: 'plain', text: 'やあ @sora です' }])
})

test('a full-width hashtag searches for the same word', () => {
  expect(textPieces('＃海')).toEqual([{ is: 'hashtag', text: '＃海', q: '#海' }])
})

test.each([
  ['https://ja.example.com/wiki/%E6%9D%B1%E4%BA%AC', 'ja.example.com/wiki/東京'],
  ['http://example.com:8080/a?b=c#d', 'example.com:8080/a?b=c#d'],
  [`https://example.com/${'a'.repeat(50)}`, `example.com/${'a'.repeat(27)}…`],
  // Encoded direction marks and invalid encodings are not decoded.
  ['https://example.com/%E2%80%AEfdp', 'example.com/%E2%80%AEfdp'],
  ['https://example.com/%ff', 'example.com/%ff'],
])('%s reads as %s', (address, shown) => {
  expect(textPieces(address)).toEqual([{ is: 'link', text: shown, href: address }])
})

test.each([
  ['http://日本語.jp/about', '日本語.jp/about', 'http://xn--wgv71a119e.jp/about'],
  ['https://www.お名前-1.com', 'お名前-1.com', 'https://www.xn---1-w73a372m82b.com/'],
  [
    'https://ja.wikipedia.org/wiki/東京タワー',
    'ja.wikipedia.org/wiki/東京タワー',
    'https://ja.wikipedia.org/wiki/%E6%9D%B1%E4%BA%AC%E3%82%BF%E3%83%AF%E3%83%BC',
  ],
  // Cyrillic letters that look like Latin ones, and a kana that looks like the end of a host.
  ['https://аррӏе.com/', 'xn--80ak6aa92e.com', 'https://xn--80ak6aa92e.com/'],
  ['https://example.comノa.jp/', 'example.xn--coma-xq4c.jp', 'https://example.xn--coma-xq4c.jp/'],
])('%s reads as %s and leads to %s', (address, shown, href) => {
  expect(textPieces(address)).toEqual([{ is: 'link', text: shown, href }])
})
