// Which of a post's images are shown, to its author and to others.
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

test('an image that failed is shown to its author, who alone is told why', () => {
  expect(shown(image('a', 'ready'), image('b', 'failed', 'unreadable'))).toEqual(['a', 'b'])
})

test('others see the images there are, or are still to come', () => {
  expect(shown(image('a', 'failed'), image('b', 'ready'), image('c', 'processing'))).toEqual(['b', 'c'])
})

test('where nothing else is there, one place stands for all that failed', () => {
  expect(shown(image('a', 'failed'), image('b', 'failed'))).toEqual(['a'])
  expect(shown()).toEqual([])
})
