// Parses typed prices exactly or refuses them; the wire form removes commas and dots.
import { describe, expect, test } from 'vitest'
import { typedPrice, yenOf } from './price.ts'

describe('typed into a form', () => {
  test.each([
    ['500', 500],
    ['1,000', 1000],
    ['1.000', 1000],
    ['１，０００', 1000],
    ['1,0000', 10_000],
    ['12,345円', 12_345],
    ['¥ 50,000', 50_000],
    [' 100 ', 100],
  ])('%j is %i yen', (typed, yen) => {
    expect(typedPrice(typed)).toEqual({ yen })
  })

  test.each([
    ['100.50', 'fraction'],
    ['100.5', 'fraction'],
    ['１００．５０', 'fraction'],
    ['100,50', 'fraction'],
    ['1,000.50', 'fraction'],
    ['100.50円', 'fraction'],
    ['1.00.000', 'fraction'],
    [`${'1'.repeat(38)}.5`, 'fraction'],
    [`${'1'.repeat(39)}.5`, 'malformed'],
    ['', 'required'],
    [' 　', 'required'],
    ['百円', 'malformed'],
    ['-500', 'malformed'],
    ['99', 'too_small'],
    ['50', 'too_small'],
    ['50,001', 'too_large'],
  ])('%j is %s', (typed, problem) => {
    expect(typedPrice(typed)).toEqual({ problem })
  })

  test('a million digits are malformed', () => {
    expect(typedPrice('1'.repeat(1_000_000))).toEqual({ problem: 'malformed' })
  })
})

test.each([
  ['100.50', 10_050],
  ['1,000', 1000],
  ['1.000', 1000],
])('a request with the price %j means %i yen (specification section 7)', (sent, yen) => {
  expect(yenOf(sent)).toBe(yen)
})

test.each(['1e3', '0x64', '100人', '1000000000', '', '５００ドル'])(
  'a request with the price %j has no price',
  (sent) => {
    expect(yenOf(sent)).toBeNaN()
  },
)

test('a price is read up to forty characters', () => {
  expect(yenOf(`500${' '.repeat(37)}`)).toBe(500)
  expect(yenOf(`500${' '.repeat(38)}`)).toBeNaN()
})
