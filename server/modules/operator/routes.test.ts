// The operator's data, which visitors may read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '#server/testing/people/members.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const operator = {
  name: '株式会社とどけ',
  representative: null,
  address: '東京都千代田区一番町1-1',
  phone: null,
  email: 'contact@todoke.example',
  invoice_number: 'T1234567890123',
  effective_on: '2026-12-01',
  message_days: null,
}

let world: World
beforeAll(async () => {
  world = await openWorld({ settings: { operator } })
})
afterAll(() => world.close())

test('a visitor can read who the operator is, with null for values that are not set', async () => {
  const reply = await call(world, null, 'GET', '/operator')
  const payments = {
    is_sandbox: true,
    is_selling: true,
    new_account_yen: usualPayments.limits.newAccountYen,
    statement_name: 'TODOKE',
  }
  expect([reply.statusCode, reply.json()]).toEqual([200, { ...operator, payments }])
})
