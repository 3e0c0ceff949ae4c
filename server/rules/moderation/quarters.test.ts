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

/** A count of each group, which differs from those of the same name in other groups. */
const everyGroup: readonly (readonly [group: string, name: string, count: number])[] = [
  ['reports', 'copyright', 10],
  ['reports', 'privacy', 11],
  ['decisions', 'acted', 20],
  ['decisions', 'dismissed', 21],
  ['decisions', 'undone', 22],
  ['measures', 'remove', 30],
  ['measures', 'suspend', 31],
  ['appeals', 'sent', 40],
  ['appeals', 'upheld', 41],
  ['appeals', 'granted', 42],
  ['inquiries', 'copyright', 50],
  ['inquiries', 'privacy', 51],
  ['outcomes', 'copyright removed', 60],
  ['outcomes', 'privacy removed', 61],
  ['suspended', '', 70],
  ['authorities', '', 80],
  ['holds', 'word', 90],
  ['hold_ends', 'approved', 91],
]

test('each group has its own counts, also where groups share a name', () => {
  const counts = everyGroup.map(([group, name, count]) => ({ quarter: '2026-Q4', group, name, count }))
  const nothing = { removed: 0, partly: 0, refused: 0, disclosed: 0, answered: 0, withdrawn: 0 }
  const none = { sexual: 0, harassment: 0, spam: 0, impersonation: 0, minor: 0, other: 0 }
  const expected = {
    name: '2026-Q4',
    reports: { ...none, copyright: 10, privacy: 11 },
    decisions: { acted: 20, dismissed: 21, undone: 22 },
    measures: { hide: 0, remove: 30, age_limit: 0, warn: 0, limit: 0, suspend: 31 },
    appeals: { sent: 40, upheld: 41, granted: 42 },
    inquiries: { contact: 0, copyright: 50, privacy: 51, disclosure: 0, intimate: 0 },
    outcomes: {
      contact: nothing,
      copyright: { ...nothing, removed: 60 },
      privacy: { ...nothing, removed: 61 },
      disclosure: nothing,
      intimate: nothing,
    },
    speed: null,
    suspended: 70,
    authorities: 80,
    holds: { word: 90, media: 0, link: 0, intimate: 0, undeclared: 0 },
    hold_ends: { approved: 91, removed: 0, withdrawn: 0 },
    automatic: 0,
  }
  expect(quartersOf(counts, [])).toEqual([expected])
  expect(quartersOf(counts.toReversed(), [])).toEqual([expected])
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

test('only decided claims of the quarter give it a speed, and each quarter has its own', () => {
  const many = { quarter: '2026-Q4', group: 'reports', name: 'spam', count: 9 }
  expect(quartersOf([many, outcome('privacy refused', 4)], [speed])[0]?.speed).toBe(null)
  const counts = ['2026-Q2', '2026-Q3', '2026-Q4'].map((it) => outcome('privacy refused', 5, it))
  const speeds = [{ ...speed, quarter: '2026-Q3', median: 1.04 }, speed]
  expect(quartersOf(counts, speeds).map((it) => [it.name, it.speed?.median_days])).toEqual([
    ['2026-Q4', 2.3],
    ['2026-Q3', 1],
    ['2026-Q2', undefined],
  ])
})

test('without any count there is no quarter', () => {
  expect(quartersOf([], [])).toEqual([])
})
