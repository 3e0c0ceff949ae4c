// Refunds in parts and disputes: previews, what is booked, and access.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import { newId } from '#contract/ids.ts'
import {
  adjustedOf,
  decide,
  dispute,
  linesOf,
  refund,
  searchFor,
} from '#server/testing/adjustments/adjustments.ts'
import { bookingsSince, runRefunds, sale, tasksOf } from '#server/testing/payments/bookings.ts'
import { buy, purchasesOf, receiptOf } from '#server/testing/payments/bought.ts'
import {
  accessOf,
  begun,
  ledgerOf,
  notice,
  noticeFields,
  openShop,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { entriesOf, salesOf } from '#server/testing/payments/sold.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { admin } from '#server/testing/people/identity.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an admin', () => {
    let world: World
    let by: Member
    let shop: Shop
    let id: string
    let before: Awaited<ReturnType<typeof ledgerOf>>
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      by = await operator(world)
      shop = await openShop(world)
      await runRefunds(world)
      before = await ledgerOf(world)
      const payment = await begun(world, shop.buyer, shop.postId)
      await notice(world, noticeFields(payment.fields, `g-${payment.id}`))
      id = payment.id
    })
    const booked = () => bookingsSince(world, before)
    const access = () => accessOf(world, shop.buyer, shop.postId)
    const emails = async (to: Member) => (await emailsTo(world, to.email)).map((it) => it.is)

    test('sees what a refund of a part would book, and nothing happens', async () => {
      const preview = await refund(world, by, id, { amount: 200, left: 500, preview: true })
      expect([preview.json().done, linesOf(preview)]).toEqual([
        false,
        ['refund', 'creator_payable 180', 'platform_fee 18', 'fee_tax 2', 'refunds -200'],
      ])
      expect([await booked(), await tasksOf(world, id), await access()]).toEqual([sale, [], 'full'])
      expect(await adjustedOf(world, by, id)).toMatchObject({ refunded_amount: 0, refunds: [] })
      expect(await emails(shop.buyer)).not.toContain('refund')
    })

    test('refunds parts, each once, and the last one closes the post and leaves nothing in the ledger', async () => {
      const first = newId()
      const asked = { id: first, amount: 200, left: 500 }
      const replies = [await refund(world, by, id, asked), await refund(world, by, id, asked)]
      expect(replies.map((it) => [it.statusCode, it.json().done])).toEqual([
        [200, true],
        [200, true],
      ])
      expect(await booked()).toEqual({
        provider_receivable: 500,
        refunds: -200,
        creator_payable: -270,
        platform_fee: -28,
        fee_tax: -2,
      })
      expect(await access()).toBe('full')
      await runRefunds(world)
      expect(await adjustedOf(world, by, id)).toMatchObject({
        state: 'paid',
        refunded_amount: 200,
        refunds: [{ id: first, amount: 200, reason: 'ご案内の誤りのため', returned: true }],
      })
      expect(errorOf(await refund(world, by, id, { amount: 100, left: 500 })).code).toBe('conflict')
      expect(errorOf(await refund(world, by, id, { amount: 301, left: 300 })).code).toBe('conflict')
      expect((await refund(world, by, id, { amount: 300, left: 300 })).statusCode).toBe(200)
      expect([await access(), (await adjustedOf(world, by, id)).state]).toEqual(['purchase', 'refunded'])
      await runRefunds(world)
      expect([await booked(), await tasksOf(world, id)]).toEqual([
        {},
        [
          { kind: 'refund', done: true },
          { kind: 'refund', done: true },
        ],
      ])
    })

    test('tells buyer and creator, and history, receipt and sales show the part', async () => {
      await refund(world, by, id, { amount: 200, left: 500 })
      expect([await emails(shop.buyer), await emails(shop.creator)]).toEqual([
        expect.arrayContaining(['refund']),
        expect.arrayContaining(['sale_refunded']),
      ])
      const part = { state: 'paid', refunded_amount: 200, refunded_at: null }
      expect((await purchasesOf(world, shop.buyer))[0]).toMatchObject(part)
      expect(await receiptOf(world, shop.buyer, id)).toMatchObject(part)
      expect((await salesOf(world, shop.creator)).figures).toMatchObject({
        posts: 500,
        refunds: 200,
        net: 270,
        fee: 28,
        fee_tax: 2,
        refunded: 1,
      })
    })

    test('two refunds at the same time never return more than was paid', async () => {
      const all = await Promise.all([
        refund(world, by, id, { amount: 400, left: 500 }),
        refund(world, by, id, { amount: 400, left: 500 }),
        refund(world, by, id, { amount: 500, left: 500 }),
      ])
      expect(all.map((it) => it.statusCode).toSorted()).toEqual([200, 409, 409])
    })

    test('sees the texts of a post that was changed after the order, or is disputed', async () => {
      const textsOf = async (payment: string) => (await adjustedOf(world, by, payment)).sold_texts
      const bought = { title: '', introduction: '', content: '有料の投稿です' }
      expect(await textsOf(id)).toBeUndefined()
      const disputed = await openShop(world)
      const other = await buy(world, disputed.buyer, disputed.postId)
      await dispute(world, by, other, { left: 500 })
      expect(await textsOf(other)).toEqual({ bought, current: bought, changed_at: null })
      world.clock.now += 1000
      await call(world, shop.creator, 'PATCH', `/posts/${shop.postId}`, { content: '。' })
      const changed_at = new Date(world.clock.now).toISOString()
      expect(await textsOf(id)).toEqual({ bought, current: { ...bought, content: '。' }, changed_at })
    })

    test('records a dispute: the sale is taken back, its post closes, and a lost one ends it', async () => {
      await refund(world, by, id, { amount: 200, left: 500 })
      await runRefunds(world)
      const asked = { id: newId(), fee: 1500, left: 300 }
      const preview = await dispute(world, by, id, { ...asked, preview: true })
      const lines = [
        'dispute',
        'creator_payable 270',
        'platform_fee 28',
        'fee_tax 2',
        'provider_receivable -300',
        'dispute_fee',
        'provider_fee 1500',
        'provider_receivable -1500',
      ]
      expect([preview.json().done, linesOf(preview), await access()]).toEqual([false, lines, 'full'])
      expect(linesOf(await dispute(world, by, id, asked))).toEqual(lines)
      expect([await access(), (await adjustedOf(world, by, id)).state]).toEqual(['purchase', 'disputed'])
      expect(errorOf(await dispute(world, by, id, { left: 300 })).code).toBe('conflict')
      expect(errorOf(await refund(world, by, id, { amount: 300, left: 300 })).code).toBe('conflict')
      expect(linesOf(await decide(world, by, asked.id, 'lost'))).toEqual([])
      expect(errorOf(await decide(world, by, asked.id, 'won')).code).toBe('conflict')
      expect(await booked()).toEqual({ provider_receivable: -1500, provider_fee: 1500 })
      const { state, disputes } = await adjustedOf(world, by, id)
      expect([state, disputes]).toEqual([
        'refunded',
        [expect.objectContaining({ state: 'lost', amount: 300 })],
      ])
      expect((await salesOf(world, shop.creator)).figures).toMatchObject({ posts: 500, refunds: 500, net: 0 })
    })

    test('a won dispute is a sale again, and opens the post', async () => {
      const disputeId = newId()
      await dispute(world, by, id, { id: disputeId, left: 500 })
      expect(await booked()).toEqual({})
      const won = [
        'dispute_won',
        'provider_receivable 500',
        'fee_tax -4',
        'platform_fee -46',
        'creator_payable -450',
      ]
      expect(linesOf(await decide(world, by, disputeId, 'won', true))).toEqual(won)
      expect(await access()).toBe('purchase')
      await decide(world, by, disputeId, 'won')
      expect([await booked(), await access()]).toEqual([sale, 'full'])
      const causes = (await entriesOf(world, shop.creator)).entries.map((it) => it.cause)
      expect(causes).toEqual(['dispute_won', 'dispute', 'sale'])
      expect(await emails(shop.creator)).toEqual(expect.arrayContaining(['sale_disputed', 'dispute_won']))
    })

    test('a won dispute of a post that was bought again is refunded, and the post stays open', async () => {
      const disputeId = newId()
      await dispute(world, by, id, { id: disputeId, left: 500 })
      const again = await begun(world, shop.buyer, shop.postId)
      await notice(world, noticeFields(again.fields, `g-${again.id}`))
      expect(await access()).toBe('full')
      const lines = linesOf(await decide(world, by, disputeId, 'won', true))
      expect(lines.filter((it) => !it.includes(' '))).toEqual(['dispute_won', 'refund'])
      await decide(world, by, disputeId, 'won')
      await runRefunds(world)
      expect([await access(), await booked()]).toEqual(['full', sale])
    })

    test('bears a lost dispute for the creator', async () => {
      const disputeId = newId()
      await dispute(world, by, id, { id: disputeId, left: 500 })
      expect(linesOf(await decide(world, by, disputeId, 'covered'))).toEqual([
        'dispute_covered',
        'chargeback_loss 450',
        'creator_payable -450',
      ])
      const { figures, balance } = await salesOf(world, shop.creator)
      expect([figures.net, balance.total]).toEqual([450, 450])
      expect(figures.plans + figures.posts - figures.refunds).toBe(
        figures.fee + figures.fee_tax + figures.net,
      )
    })

    test('finds a payment by its numbers and a person by name of account, and each find is audited', async () => {
      const gid = `g-${id}`
      for (const text of [id, gid, shop.buyer.email, shop.buyer.id])
        expect((await searchFor(world, by, text)).payments.map((it) => it.id)).toEqual([id])
      expect((await searchFor(world, by, shop.creator.email)).person?.id).toBe(shop.creator.id)
      for (const text of ['ない', newId(), "' or 1=1 --"])
        expect(await searchFor(world, by, text)).toEqual({ person: null, payments: [] })
      const audited = await rowsOf<{ act: string; detail: object }>(
        world,
        'select act, detail from audit_log where actor_id = $1',
        [by.id],
      )
      expect(audited.filter((it) => it.act === 'adjustments.search')).toHaveLength(5)
      expect(JSON.stringify(audited)).not.toContain(shop.buyer.email)
    })

    test('does not refund the own purchase or sale, while there is another admin', async () => {
      for (const it of [shop.buyer, shop.creator]) {
        await rowsOf(world, `update users set role = 'admin' where id = $1`, [it.id])
        await validate(world, it)
        expect(errorOf(await refund(world, it, id, { amount: 100, left: 500 })).code).toBe('forbidden')
        await rowsOf(world, `update users set role = 'member' where id = $1`, [it.id])
      }
      expect(await booked()).toEqual(sale)
    })

    test('needs a recent validation, and everyone else finds nothing here', async () => {
      const unproven = await admin(world)
      world.clock.now += VALIDATION_MS
      const body = { amount: 1, left: 500 }
      expect(errorOf(await refund(world, unproven, id, body)).code).toBe('validation_required')
      expect(errorOf(await dispute(world, unproven, id, { left: 500 })).code).toBe('validation_required')
      expect(errorOf(await decide(world, unproven, newId(), 'won')).code).toBe('validation_required')
      for (const as of [shop.buyer, shop.creator, await signUp(world)])
        for (const reply of [
          await refund(world, as, id, body),
          await dispute(world, as, id, { left: 500 }),
          await decide(world, as, newId(), 'won'),
          await call(world, as, 'GET', `/admin/adjustments?q=${id}`),
        ])
          expect(errorOf(reply).code).toBe('not_found')
      expect(errorOf(await refund(world, null, id, body)).code).toBe('unauthenticated')
      const bad = [
        { amount: 0, left: 500 },
        { amount: 1.5, left: 500 },
        { amount: 1, left: 500, reason: ' ' },
      ]
      for (const it of bad) expect((await refund(world, by, id, it)).statusCode).toBe(422)
      expect(await booked()).toEqual(sale)
    })
  })
})
