// Monthly statements: their figures, numbers, order and email, and that they never change.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { personChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { openShop, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import {
  closeAt,
  errorsOf,
  inTokyo,
  refuseRowsOf,
  salesOf,
  statementsOf,
} from '#server/testing/payments/sold.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a statement', () => {
    const realtime = recordingRealtime()
    let world: World
    let shop: Shop
    let other: Shop
    let bought: string
    beforeAll(async () => {
      world = await openWorld({ database: kind, parts: { realtime } })
      world.clock.now = inTokyo('2026-10-30T12:00')
      shop = await openShop(world)
      other = await openShop(world)
      bought = await buy(world, shop.buyer, shop.postId)
      world.clock.now = inTokyo('2026-11-02T12:00')
      await buy(world, await signUp(world), shop.postId)
      await buy(world, other.buyer, other.postId)
    })
    afterAll(() => world.close())

    /** Whose open pages were told since the last call, and what. */
    const told = () =>
      realtime.published.splice(0).map(({ channel, event, data }) => [channel, event, data] as const)
    const changeOf = ({ id }: Member) => [personChannel(id), 'sales.changed', {}] as const

    const figures = async (as: Member) =>
      (await statementsOf(world, as)).map((it) => [it.month, it.opening, it.net, it.paid_out, it.closing])

    test('is made once its month is closed, and months that were missed are made in their order', async () => {
      await closeAt(world, '2026-12-01T00:59')
      expect(await figures(shop.creator)).toEqual([['2026-10', 0, 450, 0, 450]])
      await closeAt(world, '2026-12-01T01:00')
      expect(await figures(shop.creator)).toEqual([
        ['2026-11', 450, 450, 0, 900],
        ['2026-10', 0, 450, 0, 450],
      ])
      expect(await figures(other.creator)).toEqual([['2026-11', 0, 450, 0, 450]])
      expect(await statementsOf(world, shop.buyer)).toEqual([])
    })

    test('is published to the open pages of its creator alone, without an amount', async () => {
      expect(
        told()
          .filter(([, event]) => event === 'sales.changed')
          .slice(-2)
          .toSorted(),
      ).toEqual([changeOf(shop.creator), changeOf(other.creator)].toSorted())
      await closeAt(world, '2026-12-01T01:30')
      expect(told()).toEqual([])
    })

    test('makes the balance available', async () => {
      expect((await salesOf(world, shop.creator)).balance).toEqual({ total: 900, available: 900 })
    })

    test('is numbered within its month without a gap, and another sweep makes none', async () => {
      await closeAt(world, '2026-12-01T02:00')
      const numbers = await rowsOf<{ number: string }>(world, 'select number from statements order by number')
      expect(numbers.map((it) => it.number)).toEqual([
        'S-202610-000001',
        'S-202611-000001',
        'S-202611-000002',
      ])
    })

    test('has the shares of the month', async () => {
      const [november] = await statementsOf(world, shop.creator)
      expect(november).toMatchObject({
        plans: 0,
        posts: 500,
        refunds: 0,
        fee: 46,
        fee_tax: 4,
        issued_at: new Date(inTokyo('2026-12-01T01:00')).toISOString(),
      })
    })

    test('is announced by one email', async () => {
      const emails = (await emailsTo(world, other.creator.email)).filter((it) => it.is === 'statement')
      expect(emails).toEqual([
        {
          is: 'statement',
          month: '2026-11',
          net: 450,
          balance: 450,
          url: expect.stringMatching(/\/settings\/sales-management\/statement\?id=[\w-]{36}$/),
        },
      ])
    })

    test('of a month without sales carries the balance, also a negative one, and none follows a balance of zero', async () => {
      world.clock.now = inTokyo('2026-12-10T12:00')
      await refundPayment(world.deps, bought, { actorId: shop.creator.id, ip: '' })
      const [november] = await rowsOf<{ id: string }>(
        world,
        `select id from payments where creator_id = $1 and state = 'paid'`,
        [shop.creator.id],
      )
      await refundPayment(world.deps, defined(november?.id), { actorId: shop.creator.id, ip: '' })
      expect((await salesOf(world, shop.creator)).balance).toEqual({ total: 0, available: 0 })
      await closeAt(world, '2027-02-01T01:00')
      expect((await figures(shop.creator)).slice(0, 2)).toEqual([
        ['2026-12', 900, -900, 0, 0],
        ['2026-11', 450, 450, 0, 900],
      ])
      expect((await figures(other.creator)).slice(0, 2)).toEqual([
        ['2027-01', 450, 0, 0, 450],
        ['2026-12', 450, 0, 0, 450],
      ])
    })

    test('that fails is made later, in the order of its months, and stops no other creator’s', async () => {
      const mend = await refuseRowsOf(world, 'statements', other.creator)
      world.clock.now = inTokyo('2027-02-10T12:00')
      await buy(world, await signUp(world), shop.postId)
      told()
      const errors = await errorsOf(closeAt(world, '2027-04-01T01:00'))
      // A statement that was not stored is published to no page.
      expect(told()).toEqual([changeOf(shop.creator), changeOf(shop.creator)])
      expect(errors.map((it) => it.message)).toEqual([
        expect.stringContaining(`2027-02 of ${other.creator.id}: `),
      ])
      expect(errors[0]?.stack).not.toContain(other.creator.email)
      expect((await figures(shop.creator)).slice(0, 2)).toEqual([
        ['2027-03', 450, 0, 0, 450],
        ['2027-02', 0, 450, 0, 450],
      ])
      expect((await figures(other.creator))[0]).toEqual(['2027-01', 450, 0, 0, 450])
      await mend()
      await closeAt(world, '2027-04-01T02:00')
      expect(told()).toEqual([changeOf(other.creator), changeOf(other.creator)])
      expect((await figures(other.creator)).slice(0, 2)).toEqual([
        ['2027-03', 450, 0, 0, 450],
        ['2027-02', 450, 0, 0, 450],
      ])
    })

    test('is read by its creator alone', async () => {
      const [{ id } = { id: '' }] = await statementsOf(world, shop.creator)
      const read = (as: Member | null) => call(world, as, 'GET', `/sales/statements/${id}`)
      expect((await read(shop.creator)).json().statement.id).toBe(id)
      expect(errorOf(await read(other.creator)).code).toBe('not_found')
      expect(errorOf(await read(null)).code).toBe('unauthenticated')
    })

    test.each([
      'update statements set closing = closing',
      'delete from statements',
      'update ledger_days set net = net + 1',
      'delete from ledger_closed_days',
      'truncate statements cascade',
    ])('cannot be changed by "%s"', async (text) => {
      await expect(world.database.executeSql(text)).rejects.toThrow('append-only')
    })
  })
})
