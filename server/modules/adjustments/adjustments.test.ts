// Fee rates and complimentary memberships: what they book, and who may not.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { listComplimentary } from '#contract/adjustments/complimentary.ts'
import type { listFeeRates } from '#contract/adjustments/fee-rates.ts'
import { newId } from '#contract/ids.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { give, linesOf, setRate } from '#server/testing/adjustments/adjustments.ts'
import {
  addedPlan,
  charge,
  type Club,
  joined,
  joinedPlansOf,
  openClub,
  planPost,
} from '#server/testing/memberships/club.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { accessOf, ledgerOf, pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { salesOf } from '#server/testing/payments/sold.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an admin', () => {
    let world: World
    let by: Member
    let club: Club
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      by = await operator(world)
      club = await openClub(world)
    })
    const today = () => dayOf(world.clock.now)
    const inDays = (days: number) => dayAfter(today(), days)
    const emails = async (to: Member) => (await emailsTo(world, to.email)).map((it) => it.is)
    const figures = async () => (await salesOf(world, club.creator)).figures
    const rates = async (): Promise<ReplyOf<typeof listFeeRates>> =>
      (await call(world, by, 'GET', `/admin/people/${club.creator.id}/fee-rates`)).json()

    test('lowers the fee of a creator from tomorrow on, for posts and for months of plans', async () => {
      const { creator, fan, plan } = club
      const membership = await joined(world, fan, plan.id)
      const asked = { first_day: inDays(1), rate: 500 }
      const preview = await setRate(world, by, creator.id, { ...asked, preview: true })
      expect([preview.json().done, linesOf(preview)]).toEqual([
        false,
        ['sale', 'provider_receivable 1000', 'creator_payable -950', 'platform_fee -46', 'fee_tax -4'],
      ])
      expect((await rates()).rates).toEqual([])
      expect((await setRate(world, by, creator.id, asked)).statusCode).toBe(200)
      expect(await rates()).toMatchObject({
        usual: 1000,
        current: 1000,
        rates: [{ ...asked, actor: { id: by.id } }],
      })
      expect(await emailsTo(world, creator.email)).toContainEqual(
        expect.objectContaining({ is: 'fee_rate', before: 1000, rate: 500 }),
      )
      expect((await salesOf(world, creator)).fee_rate).toEqual({ current: 1000, next: asked })
      await buy(world, fan, await pricedPost(world, creator, 1000), 1000)
      expect(await figures()).toMatchObject({ plans: 500, posts: 1000, net: 450 + 900 })
      world.clock.now += 32 * DAY
      const before = (await figures()).net
      await buy(world, fan, await pricedPost(world, creator, 1000), 1000)
      await charge(world, membership, { gid: newId() })
      expect((await figures()).net - before).toBe(950 + 475)
      expect((await salesOf(world, creator)).fee_rate).toEqual({ current: 500, next: null })
    })

    test('raises it in 30 days at the earliest, and never backwards', async () => {
      const { creator } = club
      const early = [
        { first_day: today(), rate: 500 },
        { first_day: inDays(29), rate: 1500 },
        { first_day: inDays(-400), rate: 0 },
      ]
      for (const it of early)
        expect(errorOf(await setRate(world, by, creator.id, it)).fields).toEqual({ first_day: 'too_small' })
      expect((await setRate(world, by, creator.id, { first_day: inDays(30), rate: 1500 })).statusCode).toBe(
        200,
      )
      // Lower than what would apply on that day, which is the raised rate.
      expect((await setRate(world, by, creator.id, { first_day: inDays(31), rate: 1200 })).statusCode).toBe(
        200,
      )
      for (const rate of [-1, 10_001, 10.5])
        expect((await setRate(world, by, creator.id, { first_day: inDays(40), rate })).statusCode).toBe(422)
    })

    test('gives a plan to a member without payments, and pays its creator', async () => {
      const { creator, fan, plan } = club
      const cheaper = await addedPlan(world, creator, { name: '朝の部屋', price: 300 })
      const [post, other] = [
        await planPost(world, creator, plan.id),
        await planPost(world, creator, cheaper.id),
      ]
      const before = await ledgerOf(world)
      const asked = { id: newId(), plan_id: plan.id, member: fan.email, ends_on: inDays(30), paid: 450 }
      const lines = ['complimentary', 'complimentary 450', 'creator_payable -450']
      expect(linesOf(await give(world, by, { ...asked, preview: true }))).toEqual(lines)
      expect([await accessOf(world, fan, post), await ledgerOf(world)]).toEqual(['plan', before])
      expect(linesOf(await give(world, by, asked))).toEqual(lines)
      expect([await accessOf(world, fan, post), await accessOf(world, fan, other)]).toEqual(['full', 'full'])
      expect(await figures()).toMatchObject({ plans: 450, net: 450, fee: 0 })
      expect([await emails(fan), await emails(creator)]).toEqual([
        expect.arrayContaining(['complimentary']),
        expect.arrayContaining(['complimentary_given']),
      ])
      expect((await joinedPlansOf(world, fan)).plans).toMatchObject([{ id: plan.id, membership: null }])
      expect(errorOf(await give(world, by, { ...asked, id: newId() })).code).toBe('conflict')
      world.clock.now += 31 * DAY
      expect([await accessOf(world, fan, post), await accessOf(world, fan, other)]).toEqual(['plan', 'plan'])
    })

    test('who has a dearer plan for nothing can pay for a cheaper one, and ending the gift leaves it', async () => {
      const { creator, fan, plan } = club
      const cheaper = await addedPlan(world, creator, { name: '朝の部屋', price: 300 })
      const [post, other] = [
        await planPost(world, creator, plan.id),
        await planPost(world, creator, cheaper.id),
      ]
      const id = newId()
      await rowsOf(world, `update users set handle = 'gifted' where id = $1`, [fan.id])
      await give(world, by, { id, plan_id: plan.id, member: '＠Gifted', ends_on: inDays(30) })
      await joined(world, fan, cheaper.id, 300)
      expect((await call(world, by, 'POST', `/admin/complimentary/${id}/end`, {})).statusCode).toBe(200)
      expect([await accessOf(world, fan, post), await accessOf(world, fan, other)]).toEqual(['plan', 'full'])
      expect(errorOf(await call(world, by, 'POST', `/admin/complimentary/${id}/end`, {})).code).toBe(
        'conflict',
      )
      const { memberships, plans } = (
        await call(world, by, 'GET', `/admin/people/${creator.id}/complimentary`)
      ).json<ReplyOf<typeof listComplimentary>>()
      expect(memberships).toMatchObject([{ id, member: { id: fan.id }, plan: { id: plan.id }, paid: 0 }])
      expect(plans.map((it) => it.id).toSorted()).toEqual([plan.id, cheaper.id].toSorted())
    })

    test('gives no plan to its creator, a stranger, a blocked person, or for a day out of range', async () => {
      const { creator, fan, plan } = club
      const asked = { plan_id: plan.id, member: fan.id, ends_on: inDays(30) }
      const refused = async (more: object) => errorOf(await give(world, by, { ...asked, ...more }))
      expect((await refused({ member: creator.id })).code).toBe('conflict')
      expect((await refused({ member: 'だれでもない' })).fields).toEqual({ member: 'unknown_person' })
      await rowsOf(world, `update users set handle = 'nobody' where id = $1`, [fan.id])
      expect((await refused({ member: 'no@body' })).fields).toEqual({ member: 'unknown_person' })
      const gone = await signUp(world)
      await rowsOf(world, 'update users set suspended_at = now() where id = $1', [gone.id])
      expect((await refused({ member: gone.id })).fields).toEqual({ member: 'unknown_person' })
      expect((await refused({ ends_on: inDays(-1) })).fields).toEqual({ ends_on: 'too_small' })
      expect((await give(world, by, { ...asked, ends_on: today(), preview: true })).statusCode).toBe(200)
      expect((await refused({ ends_on: inDays(367) })).fields).toEqual({ ends_on: 'too_large' })
      expect((await refused({ plan_id: newId() })).code).toBe('not_found')
      expect((await refused({ paid: -1 })).code).toBe('invalid')
      await call(world, fan, 'PUT', `/blocks/${creator.id}`, {})
      expect((await refused({})).code).toBe('conflict')
    })

    test('does not set the own fee nor give plans to oneself, while there is another admin', async () => {
      const { creator, fan, plan } = club
      await world.database.executeSql(`update users set role = 'admin' where id = any($1)`, [
        `{${creator.id},${fan.id}}`,
      ])
      for (const it of [creator, fan]) await validate(world, it)
      const gift = { plan_id: plan.id, ends_on: inDays(1), member: fan.id }
      const replies = [
        await setRate(world, creator, creator.id, { first_day: inDays(1), rate: 0 }),
        await give(world, creator, gift),
        await give(world, fan, gift),
      ]
      expect(replies.map((it) => errorOf(it).code)).toEqual(['forbidden', 'forbidden', 'forbidden'])
      await world.database.executeSql(`update users set role = 'member' where id = any($1)`, [
        `{${creator.id},${fan.id}}`,
      ])
    })

    test('a repeated request changes nothing and has the same reply', async () => {
      const { creator, fan, plan } = club
      const rate = { id: newId(), first_day: inDays(1), rate: 500 }
      const gift = { id: newId(), plan_id: plan.id, member: fan.id, ends_on: inDays(1), paid: 100 }
      const [one, two] = [
        await setRate(world, by, creator.id, rate),
        await setRate(world, by, creator.id, rate),
      ]
      expect([two.statusCode, two.json()]).toEqual([200, one.json()])
      const [first, again] = [await give(world, by, gift), await give(world, by, gift)]
      expect([again.statusCode, again.json()]).toEqual([200, first.json()])
      expect((await rates()).rates).toHaveLength(1)
      expect((await figures()).plans).toBe(100)
    })

    test('needs a recent validation, and everyone else finds nothing here', async () => {
      const { creator, fan, plan } = club
      const requests = (as: Member | null) => [
        () => setRate(world, as, creator.id, { first_day: inDays(1), rate: 0 }),
        () => give(world, as, { plan_id: plan.id, member: fan.id, ends_on: inDays(1) }),
        () => call(world, as, 'POST', `/admin/complimentary/${newId()}/end`, {}),
      ]
      const reads = (as: Member | null) => [
        () => call(world, as, 'GET', `/admin/people/${creator.id}/fee-rates`),
        () => call(world, as, 'GET', `/admin/people/${creator.id}/complimentary`),
      ]
      world.clock.now += VALIDATION_MS
      for (const it of requests(by)) expect(errorOf(await it()).code).toBe('validation_required')
      for (const as of [creator, fan, await signUp(world)]) {
        await validate(world, as)
        for (const it of [...requests(as), ...reads(as)]) expect(errorOf(await it()).code).toBe('not_found')
      }
      for (const it of [...requests(null), ...reads(null)])
        expect(errorOf(await it()).code).toBe('unauthenticated')
    })
  })
})
