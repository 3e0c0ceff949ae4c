// Merges new posts into a feed that was read before.
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

test('new posts come first, and earlier posts stay, each once', () => {
  const it = withNewest(read(page('cde', 'e'), page('fgh', 'h')), page('abc', 'c'))
  expect(ids(it)).toBe('abc de fgh')
  expect(headOf(it)).toBe('a')
  expect(it.pages.at(-1)?.next).toBe('h')
})

test('a post that is missing from the fresh page is removed', () => {
  expect(ids(withNewest(read(page('bcd', 'd')), page('abd', 'd')))).toBe('abd ')
  expect(ids(withNewest(read(page('cXde', 'e'), page('fg', null)), page('bcd', 'd')))).toBe('bcd e fg')
})

test('earlier posts are removed when the fresh page does not reach them', () => {
  const it = withNewest(read(page('xyz', 'z')), page('abc', 'c'))
  expect([ids(it), it.pages[0]?.next]).toEqual(['abc', 'c'])
})

test('a feed of one page is the fresh page', () => {
  expect(ids(withNewest(read(page('bc', null)), page('ab', null)))).toBe('ab')
})

test('the head is the newest post, even if the first page is empty', () => {
  expect(headOf(read(page('', 'x'), page('ab', null)))).toBe('a')
  expect(headOf(read(page('', null)))).toBe(null)
})
