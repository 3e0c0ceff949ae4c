// Receipts: their content, numbers without gaps, reissues, and refused addressees.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_ADDRESSEE } from '#contract/limits.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { call, errorOf, signUp } from '#server/testing/people/members.ts'
import { buy, issue, issued, purchasesOf, receiptOf } from '#server/testing/payments/bought.ts'
import { begun, openShop, pricedPost, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const HOUR = 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a receipt', () => {
    let world: World
    let shop: Shop
    let paymentId: string
    let start: number
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      start = world.clock.now
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      world.clock.now = start
      shop = await openShop(world)
      paymentId = await buy(world, shop.buyer, shop.postId)
    })

    const iso = (at: number) => new Date(at).toISOString()
    const numbers = async () =>
      (await rowsOf<{ number: string }>(world, 'select number from receipts order by number')).map(
        (row) => row.number,
      )

    test('has amount, tax, seller and recipient, and no registration number', async () => {
      await rowsOf(world, `update users set name = '海野しお' where id = $1`, [shop.creator.id])
      const before = await receiptOf(world, shop.buyer, paymentId)
      expect(before).toEqual({
        payment_id: paymentId,
        kind: 'post',
        period: null,
        amount: 500,
        tax_percent: 10,
        tax: 45,
        state: 'paid',
        paid_at: iso(start),
        refunded_at: null,
        refunded_amount: 0,
        seller: { id: expect.any(String), name: '海野しお', legal_name: null, registration_number: null },
        is_invoice: false,
        recipient: world.deps.settings.operator.name,
        issued: null,
      })
      world.clock.now += HOUR
      const receipt = await issued(world, shop.buyer, paymentId)
      const at = iso(world.clock.now)
      expect(receipt).toEqual({
        ...before,
        issued: {
          number: expect.stringMatching(/^R-\d{4}-\d{6}$/),
          addressee: '山田 花子',
          issued_at: at,
          last_issued_at: at,
          count: 1,
          readdressed: false,
          issues: [{ issue: 1, addressee: '山田 花子', issued_at: at }],
        },
      })
      expect(await receiptOf(world, shop.buyer, paymentId)).toEqual(receipt)
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([{ id: paymentId, receipt: true }])
    })

    test('that is issued again has the same number, and counts, also for another addressee', async () => {
      const first = await issued(world, shop.buyer, paymentId)
      world.clock.now += HOUR
      const same = await issued(world, shop.buyer, paymentId)
      world.clock.now += HOUR
      const other = await issued(world, shop.buyer, paymentId, '株式会社とどけ')
      const issues = ['山田 花子', '山田 花子', '株式会社とどけ'].map((addressee, n) => ({
        issue: n + 1,
        addressee,
        issued_at: iso(start + n * HOUR),
      }))
      expect(same.issued).toEqual({
        ...first.issued,
        last_issued_at: iso(start + HOUR),
        count: 2,
        issues: issues.slice(0, 2),
      })
      expect(other.issued).toEqual({
        ...first.issued,
        addressee: '株式会社とどけ',
        last_issued_at: iso(start + 2 * HOUR),
        count: 3,
        readdressed: true,
        issues,
      })
    })

    test('that is requested twice at the same time is one receipt', async () => {
      const before = await numbers()
      const replies = await Promise.all([1, 2, 3].map(() => issued(world, shop.buyer, paymentId)))
      expect(new Set(replies.map((it) => it.issued?.number)).size).toBe(1)
      expect(replies.map((it) => it.issued?.count ?? 0).toSorted()).toEqual([1, 2, 3])
      expect(await numbers()).toHaveLength(before.length + 1)
    })

    test('gets the next number without a gap, also among 20 requests at once and refused ones', async () => {
      // A year of its own, so that numbers begin with one.
      world.clock.now = Date.parse('2030-12-31T14:59:59.999Z')
      const { creator, buyer } = await openShop(world)
      const paid: string[] = []
      for (let n = 0; n < 21; n++) paid.push(await buy(world, buyer, await pricedPost(world, creator)))
      const nextYear = defined(paid.pop())
      const stranger = await signUp(world)
      const replies = await Promise.all(
        paid.flatMap((id) => [
          issue(world, buyer, id, '山田 花子'),
          issue(world, stranger, id, '山田 花子'),
          issue(world, buyer, newId(), '山田 花子'),
        ]),
      )
      expect(replies.filter((it) => it.statusCode === 200)).toHaveLength(20)
      const expected = Array.from({ length: 20 }, (_, n) => `R-2030-${String(n + 1).padStart(6, '0')}`)
      expect((await numbers()).filter((it) => it.startsWith('R-2030'))).toEqual(expected)
      world.clock.now += 1
      expect((await issued(world, buyer, nextYear)).issued?.number).toBe('R-2031-000001')
    })

    test('leaves no gap when its transaction fails', async () => {
      const first = await issued(world, shop.buyer, paymentId)
      const next = await buy(world, shop.buyer, await pricedPost(world, shop.creator))
      await rowsOf(world, `alter table receipts add constraint refuse check (addressee <> '失敗') not valid`)
      expect((await issue(world, shop.buyer, next, '失敗')).statusCode).toBe(500)
      const second = await issued(world, shop.buyer, next)
      const numberOf = (it: typeof first) => Number(it.issued?.number.slice(-6))
      expect(numberOf(second)).toBe(numberOf(first) + 1)
    })

    test('of a refunded purchase says so, and that of an examined one is not issued', async () => {
      await issued(world, shop.buyer, paymentId)
      world.clock.now += HOUR
      await refundPayment(world.deps, paymentId, { actorId: newId(), ip: '192.0.2.1' })
      const refunded = { state: 'refunded', refunded_at: iso(world.clock.now) }
      expect(await receiptOf(world, shop.buyer, paymentId)).toMatchObject(refunded)
      expect(await issued(world, shop.buyer, paymentId)).toMatchObject({ ...refunded, issued: { count: 2 } })
      await rowsOf(world, `update payments set state = 'disputed' where id = $1`, [paymentId])
      expect(errorOf(await issue(world, shop.buyer, paymentId, '山田 花子')).code).toBe('conflict')
      expect(await receiptOf(world, shop.buyer, paymentId)).toMatchObject({ state: 'disputed' })
    })

    test('exists only for own purchases that were paid', async () => {
      const other = await signUp(world)
      const open = await begun(world, shop.buyer, await pricedPost(world, shop.creator))
      for (const [as, id] of [
        [other, paymentId],
        [shop.creator, paymentId],
        [shop.buyer, open.id],
        [shop.buyer, newId()],
      ] as const) {
        expect(errorOf(await call(world, as, 'GET', `/payments/${id}/receipt`)).code).toBe('not_found')
        expect(errorOf(await issue(world, as, id, '山田 花子')).code).toBe('not_found')
      }
      expect(errorOf(await issue(world, null, paymentId, '山田 花子')).code).toBe('unauthenticated')
      expect((await receiptOf(world, shop.buyer, paymentId)).issued).toBeNull()
    })

    test.each([
      ['is empty', '', 'required'],
      ['has only spaces', '　 ', 'required'],
      ['is too long', 'あ'.repeat(MAX_ADDRESSEE + 1), 'too_long'],
      ['has too many bytes', '👨‍👩‍👧‍👦'.repeat(MAX_ADDRESSEE), 'too_many_bytes'],
      ['has two lines', '山田\n花子', 'control_characters'],
      ['has a control character', '山田\u0007花子', 'control_characters'],
      ['changes the direction of text', '山田\u202E花子', 'control_characters'],
      ['cannot be seen', '\u200B\u200B', 'invisible'],
    ])('is refused for an addressee that %s', async (_, addressee, code) => {
      const reply = await issue(world, shop.buyer, paymentId, addressee)
      expect([reply.statusCode, errorOf(reply).fields]).toEqual([422, { addressee: code }])
      expect((await receiptOf(world, shop.buyer, paymentId)).issued).toBeNull()
    })

    test('is issued to the longest addressee, without the spaces around it', async () => {
      const longest = '縁'.repeat(MAX_ADDRESSEE)
      expect((await issued(world, shop.buyer, paymentId, ` ${longest}　`)).issued?.addressee).toBe(longest)
    })
  })
})
