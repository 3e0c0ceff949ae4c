// The mixed load has the ratio of the habits at any time.
import { expect, test } from 'vitest'
import { unitNames, usualHabits } from '#bench/capacity/model.ts'
import { mixOf } from './mix.ts'

const all = unitNames.reduce((sum, name) => sum + usualHabits[name], 0)

test('every beginning of the mix has each unit by its share, within one unit', () => {
  const mix = mixOf(unitNames, 2000)
  for (const count of [1, 79, 158, 316, 1000, 2000])
    for (const name of unitNames) {
      const found = mix.slice(0, count).filter((it) => it === name).length
      expect(Math.abs(found - (count * usualHabits[name]) / all)).toBeLessThanOrEqual(1)
    }
})

test('a whole number of rounds of the habits has exactly their numbers', () => {
  const mix = mixOf(unitNames, all * 2)
  for (const name of unitNames) expect(mix.filter((it) => it === name)).toHaveLength(usualHabits[name] * 2)
})
