// Settlements of the payment provider: what they book, once, and who may not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import {
  linesOf,
  recordSettlement,
  reverseSettlement,
  settlementsOf,
} from '#server/testing/adjustments/adjustments.ts'
import { bookingsSince } from '#server/testing/payments/bookings.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { ledgerOf, openShop, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { salesOf } from '#server/testing/payments/sold.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const LINES = ['settlement', 'bank 480', 'provider_fee 20', 'provider_receivable -500']

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an admin', () => {
    let world: World
    let by: Member
    let shop: Shop
    let before: Awaited<ReturnType<typeof ledgerOf>>
    let asked: { id: string; day: string; received: number; fee: number; latest: string | null }
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      by = await operator(world)
      shop = await openShop(world)
      await buy(world, shop.buyer, shop.postId)
      before = await ledgerOf(world)
      const latest = (await settlementsOf(world, by)).settlements[0]?.id ?? null
      asked = { id: newId(), day: dayOf(world.clock.now), received: 480, fee: 20, latest }
    })
    const booked = () => bookingsSince(world, before)
    const owed = async () => (await settlementsOf(world, by)).balance
    const listed = async (id = asked.id) =>
      (await settlementsOf(world, by)).settlements.find((it) => it.id === id)

    test('sees what a settlement would book and leave, and nothing happens', async () => {
      const owedBefore = await owed()
      const preview = await recordSettlement(world, by, { ...asked, preview: true })
      expect(preview.json()).toMatchObject({ done: false, balance: owedBefore - 500 })
      expect(linesOf(preview)).toEqual(LINES)
      expect([await booked(), await listed(), await owed()]).toEqual([{}, undefined, owedBefore])
      expect(await rowsOf(world, 'select act from audit_log where subject_id = $1', [asked.id])).toEqual([])
    })

    test('records a settlement once, also when its request is repeated', async () => {
      const { figures } = await salesOf(world, shop.creator)
      const owedBefore = await owed()
      const request = { ...asked, reference: ' 2026年10月分 ' }
      for (const again of [request, request, { ...request, preview: true }]) {
        const reply = await recordSettlement(world, by, again)
        expect(reply.json()).toMatchObject({ done: true, balance: owedBefore - 500 })
        expect(linesOf(reply)).toEqual(LINES)
      }
      expect(await booked()).toEqual({ bank: 480, provider_fee: 20, provider_receivable: -500 })
      expect(await listed()).toMatchObject({
        day: asked.day,
        received: 480,
        fee: 20,
        reference: '2026年10月分',
        actor: { id: by.id },
        reversal: null,
      })
      expect((await salesOf(world, shop.creator)).figures).toEqual(figures)
      const audited = 'select act, actor_id, detail from audit_log where subject_id = $1'
      expect(await rowsOf(world, audited, [asked.id])).toEqual([
        { act: 'settlement.record', actor_id: by.id, detail: { day: asked.day, received: 480, fee: 20 } },
      ])
      expect(errorOf(await recordSettlement(world, by, { ...request, received: 481 })).code).toBe('conflict')
    })

    test('two requests at once book the same settlement once, and of two settlements one', async () => {
      const twice = await Promise.all([1, 2].map(() => recordSettlement(world, by, asked)))
      expect(twice.map((it) => [it.statusCode, linesOf(it)])).toEqual([
        [200, LINES],
        [200, LINES],
      ])
      const next = { ...asked, latest: asked.id }
      const other = await operator(world)
      const both = await Promise.all([
        recordSettlement(world, by, { ...next, id: newId() }),
        recordSettlement(world, other, { ...next, id: newId() }),
      ])
      expect(both.map((it) => it.statusCode).toSorted()).toEqual([200, 409])
      expect(await booked()).toEqual({ bank: 960, provider_fee: 40, provider_receivable: -1000 })
    })

    test('refuses what was recorded after another settlement that the admin did not see', async () => {
      await recordSettlement(world, by, asked)
      const next = { ...asked, id: newId() }
      expect(errorOf(await recordSettlement(world, by, next)).code).toBe('conflict')
      expect(errorOf(await recordSettlement(world, by, { ...next, preview: true })).code).toBe('conflict')
      expect((await recordSettlement(world, by, { ...next, latest: asked.id })).statusCode).toBe(200)
    })

    test('records more than the provider owes, and sees the negative balance first', async () => {
      const owedBefore = await owed()
      const large = { ...asked, received: owedBefore + 1000, fee: 0 }
      const preview = await recordSettlement(world, by, { ...large, preview: true })
      expect(preview.json()).toMatchObject({ done: false, balance: -1000 })
      expect((await recordSettlement(world, by, large)).json()).toMatchObject({ done: true, balance: -1000 })
      expect(await owed()).toBe(-1000)
      await reverseSettlement(world, by, asked.id)
      expect(await owed()).toBe(owedBefore)
    })

    test('reverses a settlement once, after a preview', async () => {
      await recordSettlement(world, by, asked)
      const lines = ['settlement_reversed', 'provider_receivable 500', 'provider_fee -20', 'bank -480']
      const preview = await reverseSettlement(world, by, asked.id, true)
      expect([preview.json().done, linesOf(preview)]).toEqual([false, lines])
      expect([(await listed())?.reversal, (await booked())['bank']]).toEqual([null, 480])
      const both = await Promise.all([1, 2].map(() => reverseSettlement(world, by, asked.id)))
      expect(both.map((it) => it.statusCode).toSorted()).toEqual([200, 409])
      expect(await booked()).toEqual({})
      expect((await listed())?.reversal).toMatchObject({ reason: 'ご案内の誤りのため', actor: { id: by.id } })
      for (const again of [false, true])
        expect(errorOf(await reverseSettlement(world, by, asked.id, again)).code).toBe('conflict')
      const acts = 'select act from audit_log where subject_id = $1 order by seq'
      expect(await rowsOf(world, acts, [asked.id])).toEqual([
        { act: 'settlement.record' },
        { act: 'settlement.reverse' },
      ])
      expect(errorOf(await reverseSettlement(world, by, newId())).code).toBe('not_found')
      const [right, latest] = [newId(), asked.id]
      expect(
        (await recordSettlement(world, by, { ...asked, id: right, latest, received: 470 })).statusCode,
      ).toBe(200)
      expect(await listed(right)).toMatchObject({ received: 470, reversal: null })
    })

    test('the row of a settlement gets its reversal, and no other change', async () => {
      await recordSettlement(world, by, asked)
      const run = (text: string) => world.database.executeSql(text, [asked.id])
      const changes = [
        'update settlements set received = 1 where id = $1',
        "update settlements set received = 1, reversed_at = now(), reversal_reason = 'x' where id = $1",
        'delete from settlements where id = $1',
      ]
      for (const it of changes) await expect(run(it)).rejects.toThrow('append-only')
      await reverseSettlement(world, by, asked.id)
      const again = "update settlements set reversal_reason = 'x' where id = $1"
      await expect(run(again)).rejects.toThrow('append-only')
    })

    test.each([
      [{ received: 0 }, 'received'],
      [{ received: 1_000_000_000 }, 'received'],
      [{ received: 10.5 }, 'received'],
      [{ fee: -1 }, 'fee'],
      [{ fee: 100_000_000 }, 'fee'],
      [{ day: '2026-02-30' }, 'day'],
      [{ reference: 'あ'.repeat(101) }, 'reference'],
      [{ reference: '👨‍👩‍👧‍👦'.repeat(100) }, 'reference'],
    ])('refuses %j', async (more, field) => {
      const { code, fields } = errorOf(await recordSettlement(world, by, { ...asked, ...more }))
      expect([code, Object.keys(defined(fields))]).toEqual(['invalid', [field]])
    })

    test('takes the largest amounts, and days from the first entry to today', async () => {
      const { days } = await settlementsOf(world, by)
      const today = dayOf(world.clock.now)
      const [first = ''] = [days?.first]
      expect(days?.last).toBe(today)
      const refused = async (day: string) =>
        errorOf(await recordSettlement(world, by, { ...asked, day })).fields
      expect(await refused(dayAfter(today))).toEqual({ day: 'too_large' })
      expect(await refused(dayAfter(first, -1))).toEqual({ day: 'too_small' })
      const largest = { received: 999_999_999, fee: 99_999_999, reference: 'あ'.repeat(100) }
      const reply = await recordSettlement(world, by, { ...asked, ...largest, day: first })
      expect(linesOf(reply)).toContain('provider_receivable -1099999998')
      await reverseSettlement(world, by, asked.id)
    })

    test('needs a recent validation, and everyone else finds nothing here', async () => {
      await recordSettlement(world, by, asked)
      const requests = (as: Member | null) => [
        () => recordSettlement(world, as, { ...asked, id: newId(), latest: asked.id }),
        () => recordSettlement(world, as, { ...asked, id: newId(), latest: asked.id, preview: true }),
        () => reverseSettlement(world, as, asked.id),
      ]
      const read = (as: Member | null) => call(world, as, 'GET', '/admin/settlements')
      world.clock.now += VALIDATION_MS
      for (const it of requests(by)) expect(errorOf(await it()).code).toBe('validation_required')
      expect((await read(by)).statusCode).toBe(200)
      for (const as of [shop.creator, shop.buyer, await signUp(world)]) {
        await validate(world, as)
        for (const it of requests(as)) expect(errorOf(await it()).code).toBe('not_found')
        expect(errorOf(await read(as)).code).toBe('not_found')
      }
      for (const it of requests(null)) expect(errorOf(await it()).code).toBe('unauthenticated')
      expect(errorOf(await read(null)).code).toBe('unauthenticated')
    })
  })

  describe.skipIf(!available)('before the first sale', () => {
    test('the list is empty, and no day can be recorded', async () => {
      const world = await openWorld({ database: kind })
      const by = await operator(world)
      expect(await settlementsOf(world, by)).toEqual({ balance: 0, days: null, settlements: [] })
      const asked = { day: dayOf(world.clock.now), received: 1, fee: 0, latest: null }
      expect(errorOf(await recordSettlement(world, by, asked)).fields).toEqual({ day: 'too_small' })
      await world.close()
    })
  })
})
