// The comparison of all cells of a table.
import { expect, test } from 'vitest'
import { differing } from './cells.ts'

test('each differing cell is named with both values, and no other', () => {
  const cells = [
    { of: 'a@b.jp', expected: { parsed: 'a@b.jp' }, found: { parsed: 'a@b.jp' } },
    { of: '１', expected: 1, found: '1' },
    { of: null, expected: 'required', found: undefined },
  ]
  expect(differing(cells)).toEqual([
    '"１": expected 1, found "1"',
    'null: expected "required", found undefined',
  ])
})

test.each([
  [undefined, '‹nothing›'],
  [{ a: undefined }, {}],
  [0, -0],
  [Number.NaN, null],
])('%j and %j differ', (expected, found) => {
  expect(differing([{ of: 'x', expected, found }])).toHaveLength(1)
})
