// Links inside our own texts.
import { expect, test } from 'vitest'
import { richPiecesOf } from './rich-pieces.ts'

const shown = (text: string) =>
  richPiecesOf(text).map((it) =>
    it.is === 'text' ? it.text : [it.text, it.path, ...(it.hash === undefined ? [] : [it.hash])],
  )

test('a text without links stays one piece, and an empty one has none', () => {
  expect(shown('そのままの文です。')).toEqual(['そのままの文です。'])
  expect(shown('')).toEqual([])
})

test('the text around a link is retained', () => {
  expect(shown('詳しくは[ヘルプ](/help)をご覧ください。')).toEqual([
    '詳しくは',
    ['ヘルプ', '/help'],
    'をご覧ください。',
  ])
})

test('a link can lead to one question of a page, and two links follow each other', () => {
  expect(shown('[退会](/help/account#leave)[規約](/settings/terms-of-service)')).toEqual([
    ['退会', '/help/account', 'leave'],
    ['規約', '/settings/terms-of-service'],
  ])
})

test('an address of another site is no link', () => {
  expect(shown('[よそ](https://elsewhere.example/)')).toEqual(['[よそ](https://elsewhere.example/)'])
})
