// Rows of the CSV file of members.
import { expect, test } from 'vitest'
import { rowsOf } from './members-csv.ts'

test('a member is one row, with the day of joining in Tokyo', () => {
  const id = '0192f0c0-0000-7000-8000-000000000000'
  const person = { id, name: '海野しお', handle: null, avatar_url: null }
  const plan = { id, name: '朝の海', price: 500 }
  const [head = [], ...rows] = rowsOf([{ person, plan, joined_at: '2026-11-25T15:00:00.000Z' }])
  expect(rows).toEqual([['海野しお', '', '朝の海', '2026-11-26']])
  expect(rows[0]).toHaveLength(head.length)
})
