// Shown days, kinds of readings, and sums of few readers.
import { expect, test } from 'vitest'
import type { Numbers } from '#contract/analytics/analytics.ts'
import { filledDays, lastShownDay, readingKind, shownDays, totalOf } from './analytics.ts'

const at = (text: string) => Date.parse(text)

test.each([
  // 2026-11-24 ends at 15:00 UTC, and has been over for 24 hours a day later.
  ['2026-11-25T14:59:59.999Z', '2026-11-23'],
  ['2026-11-25T15:00:00.000Z', '2026-11-24'],
])('at %s the last shown day is %s', (now, day) => {
  expect(lastShownDay(at(now))).toBe(day)
})

test('a period has its days in order, also over the end of a month', () => {
  expect(shownDays(at('2026-03-03T03:00:00Z'), 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
})

const full = { is: 'full' } as const
const wants = (it: 'plan' | 'purchase' | 'age' | 'sign_in') => ({ is: 'preview', wants: it }) as const

test.each([
  ['opened', full, false, 'view'],
  ['opened', full, true, 'view'],
  ['watched', full, true, 'watched'],
  ['watched', full, false, undefined],
  ['opened', wants('purchase'), true, 'gate'],
  ['opened', wants('plan'), false, 'gate'],
  ['opened', wants('age'), false, undefined],
  ['opened', wants('sign_in'), false, undefined],
  ['watched', wants('purchase'), true, undefined],
  ['opened', { is: 'hidden' }, true, undefined],
] as const)('%s of a post that is %j (video: %j) counts as %j', (what, access, hasVideo, kind) => {
  expect(readingKind(what, access, hasVideo)).toBe(kind)
})

const views = (count: number, isFew = false): Numbers => ({
  ...totalOf([]),
  views: { count, is_few: isFew },
})

test('a sum of exact numbers is exact', () => {
  expect(totalOf([views(5), views(0), views(12)]).views).toEqual({ count: 17, is_few: false })
})

test('days with few readers count as one each, so that the sum does not give away a day', () => {
  expect(totalOf([views(12), views(1, true)]).views).toEqual({ count: 13, is_few: true })
  expect(totalOf([views(1, true)]).views).toEqual({ count: 1, is_few: true })
})

test('likes, comments and purchases are added up exactly', () => {
  const it = { ...views(0), likes: 1, comments: 2, purchases: 3 }
  expect(totalOf([it, it])).toMatchObject({ likes: 2, comments: 4, purchases: 6 })
})

test('days without a number are zero', () => {
  const found = { day: '2026-03-02', ...views(9) }
  expect(filledDays(['2026-03-01', '2026-03-02'], [found])).toEqual([
    { day: '2026-03-01', ...views(0) },
    found,
  ])
})
