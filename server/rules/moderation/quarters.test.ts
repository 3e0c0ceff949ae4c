// The numbers of the transparency page, without small counts.
import { expect, test } from 'vitest'
import { publicCount, quartersOf } from './quarters.ts'

const speed = { quarter: '2026-Q4', median: 2.345, p90: 6.96, within: 0.8 }
const outcome = (name: string, count: number, quarter = '2026-Q4') => ({
  quarter,
  group: 'outcomes',
  name,
  count,
})

test('counts from 1 to 4 are not published', () => {
  expect([0, 1, 4, 5, 12].map(publicCount)).toEqual([0, 'few', 'few', 5, 12])
})

test('quarters are the latest first, with 0 for what never happened', () => {
  const quarters = quartersOf([outcome('copyright removed', 5, '2026-Q3'), outcome('privacy refused', 2)], [])
  expect(quarters.map((it) => it.name)).toEqual(['2026-Q4', '2026-Q3'])
  expect(quarters[0]).toMatchObject({
    outcomes: { privacy: { refused: 'few', removed: 0 }, copyright: { removed: 0 } },
    suspended: 0,
    automatic: 0,
  })
  expect(quarters[1]?.outcomes.copyright?.removed).toBe(5)
})

test('holds by a rule are counted by reason and by end, each in its quarter', () => {
  const held = (group: string, name: string, count: number) => ({ quarter: '2026-Q4', group, name, count })
  const counts = [held('holds', 'word', 7), held('holds', 'media', 3), held('hold_ends', 'approved', 6)]
  expect(quartersOf(counts, [])[0]).toMatchObject({
    holds: { word: 7, media: 'few', link: 0 },
    hold_ends: { approved: 6, removed: 0, withdrawn: 0 },
  })
})

test('a speed needs five decided claims; messages and withdrawn claims do not count', () => {
  const others = [outcome('contact answered', 9), outcome('privacy withdrawn', 9)]
  expect(quartersOf([...others, outcome('privacy refused', 4)], [speed])[0]?.speed).toBe(null)
  expect(quartersOf([...others, outcome('privacy refused', 5)], [speed])[0]?.speed).toEqual({
    median_days: 2.3,
    p90_days: 7,
    within_due: 0.8,
  })
})

test('without any count there is no quarter', () => {
  expect(quartersOf([], [])).toEqual([])
})
