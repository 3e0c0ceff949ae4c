// Payouts of creators: requests, obstacles, automatic ones, and the ledger.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { ledgerOf, rowsOf } from '#server/testing/payments/shop.ts'
import { errorsOf, inTokyo, refuseRowsOf, salesOf } from '#server/testing/payments/sold.ts'
import {
  dueOf,
  overviewOf,
  request,
  soldLastMonth,
  soldOnce,
  storeAccount,
} from '#server/testing/payouts/payouts.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepPayouts } from './sweep.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a payout', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      world.clock.now = inTokyo('2026-11-01T12:00')
    })
    afterAll(() => world.close())

    const states = async (as: Member) =>
      (await overviewOf(world, as)).payouts.map((it) => [it.state, it.amount, it.due_on])
    const obstacle = async (as: Member) => (await overviewOf(world, as)).obstacle
    const manual = (as: Member) => call(world, as, 'PUT', '/payouts/automatic', { automatic: false })

    test('takes the whole available balance, with one entry, and is due on the last bank day of the month', async () => {
      const creator = await soldOnce(world, 10_000)
      await storeAccount(world, creator)
      expect(await overviewOf(world, creator)).toMatchObject({
        available: 9000,
        minimum: 1000,
        fee: 250,
        due_on: '2026-12-30',
        obstacle: null,
      })
      const before = await ledgerOf(world)
      expect((await request(world, creator)).statusCode).toBe(200)
      expect(await states(creator)).toEqual([['requested', 9000, '2026-12-30']])
      const after = await ledgerOf(world)
      expect(after['payouts']).toBe((before['payouts'] ?? 0) - 8750)
      expect(after['payout_fee']).toBe((before['payout_fee'] ?? 0) - 250)
      const { balance, figures } = await salesOf(world, creator)
      expect(balance).toEqual({ total: 0, available: 0 })
      expect(figures).toMatchObject({ net: 0, paid_out: 9000 })
    })

    test('requested again with the same id is one payout; a second one in the month is a conflict', async () => {
      const creator = await soldOnce(world, 5000)
      await storeAccount(world, creator)
      const id = newId()
      expect((await request(world, creator, { id })).statusCode).toBe(200)
      expect((await request(world, creator, { id, amount: 4500 })).statusCode).toBe(200)
      expect(errorOf(await request(world, creator)).code).toBe('conflict')
      expect(await states(creator)).toHaveLength(1)
      expect(await obstacle(creator)).toBe('this_month')
    })

    test('requested by several requests at once is one payout with one entry', async () => {
      const creator = await soldOnce(world, 5000)
      await storeAccount(world, creator)
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => request(world, creator, { amount: 4500 })),
      )
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(1)
      expect(await states(creator)).toHaveLength(1)
      const entries = await rowsOf(
        world,
        `select 1 from ledger_entries where creator_id = $1 and cause = 'payout'`,
        [creator.id],
      )
      expect(entries).toHaveLength(1)
    })

    test('is not taken from sales of the open month, nor after a refund has taken them', async () => {
      const creator = await soldOnce(world, 2000)
      await storeAccount(world, creator)
      const [payment] = await rowsOf<{ id: string }>(world, 'select id from payments where creator_id = $1', [
        creator.id,
      ])
      await refundPayment(world.deps, defined(payment?.id), { actorId: creator.id, ip: '' })
      expect(await overviewOf(world, creator)).toMatchObject({ available: 0, obstacle: 'too_little' })
      expect(errorOf(await request(world, creator)).code).toBe('conflict')
    })

    test('of another amount than the page showed is refused', async () => {
      const creator = await soldOnce(world, 5000)
      await storeAccount(world, creator)
      expect(errorOf(await request(world, creator, { amount: 9999 })).code).toBe('price_changed')
      expect(await states(creator)).toEqual([])
    })

    test('needs an account and the minimum', async () => {
      const creator = await soldOnce(world, 1100)
      expect(await obstacle(creator)).toBe('no_account')
      await storeAccount(world, creator)
      expect(await obstacle(creator)).toBe('too_little')
      expect(await overviewOf(world, await signUp(world))).toMatchObject({ available: 0, payouts: [] })
    })

    test('with the id of another creator’s payout is a conflict and changes nothing', async () => {
      const [one, other] = (await soldLastMonth(world, [5000], [5000])) as [Member, Member]
      await storeAccount(world, one)
      await storeAccount(world, other)
      const id = newId()
      await request(world, one, { id })
      expect(errorOf(await request(world, other, { id })).code).toBe('conflict')
      expect(await states(other)).toEqual([])
    })

    test('in the last days of a month is due in the next one', async () => {
      const creator = await signUp(world)
      const now = world.clock.now
      world.clock.now = inTokyo('2026-12-25T12:00')
      expect((await overviewOf(world, creator)).due_on).toBe('2027-01-29')
      world.clock.now = now
    })

    test('is made of each closed month without a request, unless the creator has turned that off', async () => {
      const [usual, off, poor, without] = (await soldLastMonth(world, [5000], [5000], [500], [5000])) as [
        Member,
        Member,
        Member,
        Member,
      ]
      for (const it of [usual, off, poor]) await storeAccount(world, it)
      await manual(off)
      await sweepPayouts(world.deps)
      await sweepPayouts(world.deps)
      expect(await states(usual)).toEqual([['requested', 4500, dueOf(world)]])
      for (const it of [off, poor, without]) expect(await states(it)).toEqual([])
      expect((await overviewOf(world, off)).automatic).toBe(false)
    })

    test('that fails for one creator is made for the others, and the sweep is repeated', async () => {
      const creators = await soldLastMonth(world, [5000], [5000], [5000])
      for (const it of creators) await storeAccount(world, it)
      const [broken] = creators as [Member]
      const mend = await refuseRowsOf(world, 'payouts', broken)
      const errors = await errorsOf(sweepPayouts(world.deps))
      expect(errors.map((it) => it.message)).toEqual([expect.stringContaining(`payout of ${broken.id}: `)])
      expect(errors[0]?.stack).not.toContain(broken.email)
      const made = async () => (await Promise.all(creators.map(states))).map((it) => it.length)
      expect(await made()).toEqual([0, 1, 1])
      await mend()
      await sweepPayouts(world.deps)
      expect(await made()).toEqual([1, 1, 1])
    })

    test('is not made of a suspended creator’s balance', async () => {
      const creator = await soldOnce(world, 5000)
      await storeAccount(world, creator)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [creator.id])
      await sweepPayouts(world.deps)
      expect(await rowsOf(world, 'select 1 from payouts where creator_id = $1', [creator.id])).toEqual([])
    })
  })
})
