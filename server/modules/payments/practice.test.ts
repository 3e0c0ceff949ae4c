// Practice money in a database with real money is reported, and not paid out.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { inTokyo } from '#server/testing/payments/sold.ts'
import { rowsOf } from '#server/testing/payments/shop.ts'
import { operator, payoutIn, request, soldOnce, storeAccount } from '#server/testing/payouts/payouts.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, usualPayments, type World } from '#server/testing/world.ts'

const real = {
  ...usualPayments,
  provider: 'link-form',
  url: 'https://pay.example/form',
  isReal: true,
} as const

/** A database with a sale of a practice provider, and one payout. */
let practice: World
let creator: Member
beforeAll(async () => {
  practice = await openWorld()
  practice.clock.now = inTokyo('2026-11-01T12:00')
  creator = await soldOnce(practice, 10_000)
  await storeAccount(practice, creator)
  await request(practice, creator, { id: newId() })
})
afterAll(() => practice.close())

/** The same database after the operator has configured a real provider. */
async function withReal(work: (world: World) => Promise<void>): Promise<void> {
  const { dataDir, clock, postgres } = practice
  const at = postgres && { url: postgres.url }
  const parts = at ? { dataDir, clock: () => clock.now } : {}
  const world = await openWorld({ ...(at && { at }), settings: { payments: real }, parts })
  await work({ ...world, clock })
  await world.close()
}

const paymentsCheck = async (world: World) => {
  const admin = await signUp(world)
  await rowsOf(world, "update users set role = 'admin' where id = $1", [admin.id])
  const { checks } = (await call(world, admin, 'GET', '/admin/machine')).json()
  return checks.find((it: { name: string }) => it.name === 'payments')
}
const healthOf = async (world: World) => (await call(world, null, 'GET', '/health')).json().payments

test('health and the machine page say that a provider is for practice', async () => {
  expect(await healthOf(practice)).toBe('practice')
  expect(await paymentsCheck(practice)).toMatchObject({ state: 'ok', reason: 'practice' })
  const off = await openWorld({ settings: { payments: { ...usualPayments, provider: 'off' } } })
  expect(await healthOf(off)).toBe('off')
  await off.close()
})

test('practice charges beside a real provider are a failure, and stop the payouts of their creators', async () => {
  expect((await payoutIn(practice, await operator(practice), 'open', creator))?.stop).toBeNull()
  await withReal(async (world) => {
    expect(await healthOf(world)).toBe('real')
    expect(await paymentsCheck(world)).toMatchObject({
      state: 'failing',
      reason: 'practice_money',
      detail: 'payments by practice providers: 1',
    })
    expect((await payoutIn(world, await operator(world), 'open', creator))?.stop).toBe('practice')
    // As after a refund by the operator.
    await rowsOf(world, `update payments set state = 'refunded' where creator_id = $1`, [creator.id])
    expect((await payoutIn(world, await operator(world), 'open', creator))?.stop).toBeNull()
  })
})
