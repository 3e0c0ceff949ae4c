// The first tab of home.
import { expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { firstTab, rememberedTab as readLastTab, rememberTab as saveLastTab } from './home-tab.ts'

const ME = '018f0000-0000-7000-8000-000000000001'
const OTHER = '018f0000-0000-7000-8000-000000000002'
const by = (id: string) => ({ author: { id } }) as PostView

test('a new member starts with 新着, even with posts of their own', () => {
  expect(firstTab({ posts: [] }, ME)).toBe('latest')
  expect(firstTab({ posts: [by(ME)] }, ME)).toBe('latest')
})

test('a member who follows a person with posts starts with フォロー中', () => {
  expect(firstTab({ posts: [by(ME), by(OTHER)] }, ME)).toBe('following')
})

test('the last tab is stored for the person who chose it alone', () => {
  saveLastTab(ME, 'plans')
  expect([readLastTab(ME), readLastTab(OTHER)]).toEqual(['plans', undefined])
})
