// Finds the web addresses in a user's text.
import { expect, test } from 'vitest'
import { piecesOf } from './prose.tsx'

const links = (text: string) => piecesOf(text).flatMap((it) => (it.is === 'link' ? [it.text] : []))

test('an address ends before the sentence goes on', () => {
  expect(links('https://example.com/a?b=1をどうぞ')).toEqual(['https://example.com/a?b=1'])
  expect(links('（https://example.com/a）、https://example.com/b。')).toEqual([
    'https://example.com/a',
    'https://example.com/b',
  ])
  expect(links('See http://example.com/a.')).toEqual(['http://example.com/a'])
})

test('only web addresses are links', () => {
  expect(links('javascript:alert(1) ftp://example.com mailto:a@b.example')).toEqual([])
})

test('the pieces together are the text, and each has its offset', () => {
  const text = '前 https://example.com/x 後\n改行'
  const pieces = piecesOf(text)
  expect(pieces.map((it) => it.text).join('')).toBe(text)
  expect(pieces.map((it) => text.indexOf(it.text, it.at))).toEqual(pieces.map((it) => it.at))
  expect(piecesOf('')).toEqual([])
})
