// Minimum, median and maximum, and how they are shown.
import { expect, test } from 'vitest'
import { medianOf, rounded, shown, shownSpread, spreadOf } from './statistics.ts'

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(medianOf([9, 1, 4])).toBe(4)
  expect(medianOf([9, 1, 4, 5])).toBe(4.5)
  expect(medianOf([7])).toBe(7)
  expect(() => medianOf([])).toThrow('no values')
})

test('values are compared as numbers and stay in their order', () => {
  const values = [10, 9, 100]
  expect(spreadOf(values)).toEqual({ min: 9, median: 10, max: 100 })
  expect(values).toEqual([10, 9, 100])
})

test('a stored value has four digits that count', () => {
  expect([123_456, 0.123_456, 5].map(rounded)).toEqual([123_500, 0.1235, 5])
})

test('a shown value has two or three digits that count', () => {
  expect([1234.5, 123.4, 45.678, 5.678, 0.056, 3].map(shown)).toEqual([
    '1235',
    '123',
    '45.7',
    '5.68',
    '0.06',
    '3',
  ])
})

test('a spread without minimum and maximum, or without differences, is one number', () => {
  expect(shownSpread(spreadOf([3, 1, 2.5]))).toBe('1, 2.50, 3')
  expect(shownSpread({ median: 0.8 })).toBe('0.80')
  expect(shownSpread(spreadOf([2, 2, 2]))).toBe('2')
})
