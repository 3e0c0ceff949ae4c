// The order of mutations: by time, and within one moment by their ids.
import { expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { byAge } from './coalescing.ts'
import { newMutationRow } from './mutations.ts'

const AOI = newId()
const number = { source: crypto.randomUUID(), number: 1 }
const row = (id: string, createdAt: number) => ({
  ...newMutationRow(
    AOI,
    { mutation: { name: 'follow', params: { user_id: newId() } }, about: '蓮', id },
    number,
    0,
  ),
  createdAt,
})

test('mutations are ordered by time, and those of one moment by their ids', () => {
  const [a, b, c] = [newId(), newId(), newId()].toSorted() as [string, string, string]
  const [first, second, third] = [row(c, 1), row(a, 2), row(b, 2)]
  for (const given of [
    [third, first, second],
    [second, third, first],
    [third, second, first],
  ])
    expect(given.toSorted(byAge)).toEqual([first, second, third])
  expect([byAge(second, third) < 0, byAge(third, second) > 0]).toEqual([true, true])
})
