// The words for how much a closed post has.
import { expect, test } from 'vitest'
import { amountParts } from './amount-text.ts'

const nothing = { image_count: 0, has_video: false }

test('a post has its pictures, the length of its video, and its characters', () => {
  expect(amountParts({ ...nothing, image_count: 3, text_length: 1200 })).toEqual(['画像3枚', '文章1,200文字'])
  const timeOf = (seconds: number) => amountParts({ ...nothing, has_video: true, video_seconds: seconds })
  expect([timeOf(0), timeOf(59), timeOf(60), timeOf(754), timeOf(3605)]).toEqual([
    ['動画（1秒未満）'],
    ['動画（59秒）'],
    ['動画（1分）'],
    ['動画（12分34秒）'],
    ['動画（1時間5秒）'],
  ])
})

test('what is not known is left out, as in replies of earlier servers', () => {
  expect(amountParts({ ...nothing, has_video: true })).toEqual(['動画'])
  expect(amountParts({ ...nothing, text_length: 0 })).toEqual([])
})
