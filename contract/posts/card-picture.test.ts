// The copy of a picture that a post's card shows.
import { expect, test } from 'vitest'
import { cardPictureOf } from './card-picture.ts'
import type { ImageView } from './media.ts'

const image = (width: number, height: number, widths: readonly number[]): ImageView => ({
  kind: 'image',
  id: '01a22d7a-26e8-7e51-b9c0-da166043a146',
  state: 'ready',
  alt: '',
  width,
  height,
  sources: widths.map((it) => ({ src: `w${it}`, width: it })),
})

test.each([
  ['a photo', image(1600, 1200, [240, 480, 960, 1600]), 'w480'],
  ['a small picture', image(200, 150, [200]), 'w200'],
  ['a strip', image(800, 12_000, [240, 480, 800]), 'w480'],
  ['a panorama, whose narrow copies are too low', image(20_000, 1500, [240, 480, 960, 1600, 6400]), 'w6400'],
  ['a picture that is not made', image(800, 600, []), null],
  ['a moving picture', { ...image(800, 600, [480]), still: 'still' }, 'still'],
])('of %s', (_, media, picture) => {
  expect(cardPictureOf(media)).toBe(picture)
})
