// A feed that was read, and what is new in it.
import { expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { headOf, withNewest, type FeedPage, type FeedPages } from './feeds.ts'

const page = (ids: string, next: string | null): FeedPage => ({
  posts: ids.split('').map((id) => ({ id }) as PostView),
  next,
  head: ids[0] ?? null,
})
const read = (...pages: FeedPage[]): FeedPages => ({ pages, pageParams: pages.map(() => null) })
const ids = (it: FeedPages) => it.pages.map((one) => one.posts.map((post) => post.id).join('')).join(' ')

test('new posts come on top, and what was read below stays, once each', () => {
  const it = withNewest(read(page('cde', 'e'), page('fgh', 'h')), page('abc', 'c'))
  expect(ids(it)).toBe('abc de fgh')
  expect(headOf(it)).toBe('a')
  expect(it.pages.at(-1)?.next).toBe('h')
})

test('a post that is gone from the fresh page is gone', () => {
  expect(ids(withNewest(read(page('bcd', 'd')), page('abd', 'd')))).toBe('abd ')
  expect(ids(withNewest(read(page('cXde', 'e'), page('fg', null)), page('bcd', 'd')))).toBe('bcd e fg')
})

test('where so much is new that the pages do not meet, what was read before is left out', () => {
  const it = withNewest(read(page('xyz', 'z')), page('abc', 'c'))
  expect([ids(it), it.pages[0]?.next]).toEqual(['abc', 'c'])
})

test('a feed that fits one page is that page', () => {
  expect(ids(withNewest(read(page('bc', null)), page('ab', null)))).toBe('ab')
})

test('the head is the newest post there is, though the first page may hold none', () => {
  expect(headOf(read(page('', 'x'), page('ab', null)))).toBe('a')
  expect(headOf(read(page('', null)))).toBe(null)
})
