// The next and the previous identity check, also of one that left the list.
import { expect, test } from 'vitest'
import { neighbours, nextToDecide } from './check-order.ts'

const at = (id: string, minute: number) => ({ id, submitted_at: `2026-03-05T03:0${minute}:00.000Z` })
const waiting = [at('a', 1), at('b', 2), at('d', 4), at('e', 4)]

test.each([
  ['the first', at('a', 1), undefined, 'b'],
  ['one in the middle', at('b', 2), 'a', 'd'],
  ['one of the same time, by id', at('d', 4), 'b', 'e'],
  ['the last', at('e', 4), 'd', undefined],
  ['one that was taken, from its place', at('c', 3), 'b', 'd'],
  ['one that is newer than all', at('f', 9), 'e', undefined],
] as const)('beside %s', (_, of, previous, next) => {
  expect(neighbours(waiting, of, 'waiting')).toEqual({ previous, next })
})

test('in the list of decided checks the next one is older', () => {
  const decided = waiting.toReversed()
  expect(neighbours(decided, at('b', 2), 'decided')).toEqual({ previous: 'd', next: 'a' })
})

test('in an empty list there is neither', () => {
  expect(neighbours([], at('a', 1), 'mine')).toEqual({ previous: undefined, next: undefined })
})

test('after a decision the first other one that can be taken is next', () => {
  const of = (id: string, takeable = true) => ({ id, takeable })
  expect(nextToDecide([of('a'), of('own', false), of('b'), of('c')], 'a')).toBe('b')
  expect(nextToDecide([of('own', false), of('a')], 'a')).toBeUndefined()
})
