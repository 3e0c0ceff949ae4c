// Where home begins.
import { expect, test } from 'vitest'
import type { PostView } from '#contract/posts/posts.ts'
import { firstTab, rememberedTab, rememberTab } from './home-tab.ts'

const ME = '018f0000-0000-7000-8000-000000000001'
const OTHER = '018f0000-0000-7000-8000-000000000002'
const by = (id: string) => ({ author: { id } }) as PostView

test('a new member begins with 新着, even with posts of their own', () => {
  expect(firstTab({ posts: [] }, ME)).toBe('latest')
  expect(firstTab({ posts: [by(ME)] }, ME)).toBe('latest')
})

test('whoever follows somebody who posts begins with フォロー中', () => {
  expect(firstTab({ posts: [by(ME), by(OTHER)] }, ME)).toBe('following')
})

test('the tab is remembered for the person who chose it, and for nobody else', () => {
  rememberTab(ME, 'plans')
  expect([rememberedTab(ME), rememberedTab(OTHER)]).toEqual(['plans', undefined])
})
