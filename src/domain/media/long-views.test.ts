// Strips and panoramas are shown long, unless they move.
import { expect, test } from 'vitest'
import type { ImageView } from '#contract/posts/media.ts'
import { isShownLong } from './long-views.ts'

const image = (width: number | null, height: number | null, still?: string): ImageView => ({
  id: 'a',
  kind: 'image',
  state: 'ready',
  alt: '',
  width,
  height,
  sources: [],
  ...(still !== undefined && { still }),
})

test('a strip and a panorama are; a moving one, another shape and an unknown size are not', () => {
  expect(isShownLong(image(800, 9000))).toBe(true)
  expect(isShownLong(image(9000, 800))).toBe(true)
  expect(isShownLong(image(200, 900, '/still'))).toBe(false)
  expect(isShownLong(image(800, 2400))).toBe(false)
  expect(isShownLong(image(null, null))).toBe(false)
})
