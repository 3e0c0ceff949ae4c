// Selects the images of a post that are shown to its author and to others.
import { expect, test } from 'vitest'
import type { ImageView } from '#contract/posts/media.ts'
import { imagesOf } from './posts.ts'

const image = (id: string, state: ImageView['state'], failure?: ImageView['failure']): ImageView => ({
  kind: 'image',
  id,
  state,
  alt: '',
  width: null,
  height: null,
  sources: [],
  ...(failure && { failure }),
})
const shown = (...images: ImageView[]) => imagesOf(images).map((it) => it.id)

test('a failed image is shown to its author with the reason', () => {
  expect(shown(image('a', 'ready'), image('b', 'failed', 'unreadable'))).toEqual(['a', 'b'])
})

test('others see the images that are ready or in processing', () => {
  expect(shown(image('a', 'failed'), image('b', 'ready'), image('c', 'processing'))).toEqual(['b', 'c'])
})

test('one failed image is shown when all have failed', () => {
  expect(shown(image('a', 'failed'), image('b', 'failed'))).toEqual(['a'])
  expect(shown()).toEqual([])
})
