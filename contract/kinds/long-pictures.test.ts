// How large strips and panoramas are sent.
import { expect, test } from 'vitest'
import { sentScale } from './long-pictures.ts'

const LONGEST = 2560
const sent = (width: number, height: number) => {
  const scale = sentScale({ width, height }, LONGEST)
  return [Math.round(width * scale), Math.round(height * scale)]
}

test('a picture of usual shape is limited by its longer side', () => {
  expect(sent(4000, 3000)).toEqual([2560, 1920])
  expect(sent(7680, 2560)).toEqual([2560, 853])
  expect(sent(800, 600)).toEqual([800, 600])
})

test('the shorter side of a strip or a panorama keeps a readable size', () => {
  expect(sent(800, 12_000)).toEqual([800, 12_000])
  expect(sent(2000, 12_000)).toEqual([1280, 7680])
  expect(sent(12_000, 3000)).toEqual([5120, 1280])
})

test('a strip for which phones have no canvas is sent as it is', () => {
  expect(sent(1600, 40_000)).toEqual([1600, 40_000])
  expect(sentScale({ width: 800, height: 20_000 }, null)).toBe(1)
})
