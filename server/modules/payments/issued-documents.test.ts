// What receipts and statements say about people, each issue of them, and the operator's search.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import type { IssuedDocument } from '#contract/payments/issued-documents.ts'
import type { IssuedKind } from '#contract/payments/issued-names.ts'
import type { StatementView } from '#contract/sales/statements.ts'
import { defined } from '#contract/testing/defined.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { buy, issued, receiptOf } from '#server/testing/payments/bought.ts'
import { pricedPost, rowsOf } from '#server/testing/payments/shop.ts'
import { closeAt, inTokyo, statementsOf } from '#server/testing/payments/sold.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { openSellerShop, request, sellerBody, storeSeller } from '#server/testing/sellers/sellers.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { sweepIssuedDocuments } from './issued-sweep.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const number = 'T9011001029597'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('an issued document', () => {
    let world: World
    let admin: Member
    let shop: Awaited<ReturnType<typeof openSellerShop>>
    const start = inTokyo('2026-11-20T12:00')
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      admin = await finance()
      return () => world.close()
    })
    beforeEach(async () => {
      world.clock.now = start
      shop = await openSellerShop(world)
    })

    async function finance(): Promise<Member> {
      const member = await signUp(world)
      await rowsOf(world, `update users set role = 'finance' where id = $1`, [member.id])
      return member
    }

    async function erase(...people: readonly Member[]): Promise<void> {
      for (const person of people) await leave(world, person)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
    }

    const naming = async (addressee = '山田 花子') => {
      const { seller, is_invoice: isInvoice } = await issued(world, shop.buyer, shop.paymentId, addressee)
      return { legal: seller.legal_name, number: seller.registration_number, isInvoice }
    }
    const nameless = { legal: null, number: null, isInvoice: false }
    const named = { ...nameless, legal: sellerBody.name }

    test('names a seller who gives the name on request once it was disclosed to the buyer', async () => {
      expect(await naming()).toEqual(nameless)
      await storeSeller(world, shop.creator)
      expect(await naming()).toEqual(nameless)
      await request(world, shop.buyer, shop.creator)
      expect(await naming()).toEqual(named)
      const stranger = await signUp(world)
      const other = await buy(world, stranger, shop.postId)
      expect((await issued(world, stranger, other)).seller.legal_name).toBeNull()
    })

    test('names a seller who publishes the name', async () => {
      await storeSeller(world, shop.creator, { display: 'published' })
      expect(await naming()).toEqual(named)
    })

    test('has the number of a seller from the day of its registration on, and is then an invoice until it is refunded', async () => {
      await storeSeller(world, shop.creator, { registration_number: number, registered_on: '2026-11-21' })
      expect(await naming()).toEqual(nameless)
      await storeSeller(world, shop.creator, { registration_number: number, registered_on: '2026-11-20' })
      expect(await naming()).toEqual({ legal: sellerBody.name, number, isInvoice: true })
      await refundPayment(world.deps, shop.paymentId, { actorId: admin.id, ip: '' })
      expect(await receiptOf(world, shop.buyer, shop.paymentId)).toMatchObject({ is_invoice: false })
    })

    test('is no invoice by a number that is wrong, or without its day', async () => {
      for (const [change, fields] of [
        [
          { registration_number: 'T9011001029579', registered_on: '2026-04-01' },
          { registration_number: 'registration_number' },
        ],
        [{ registration_number: number, registered_on: '' }, { registered_on: 'required' }],
        [{ registration_number: number }, { registered_on: 'required' }],
        [{ registration_number: number, registered_on: '2026-02-30' }, { registered_on: 'malformed' }],
      ] as const)
        expect(errorOf(await storeSeller(world, shop.creator, change)).fields).toEqual(fields)
    })

    test('keeps the number when a page of the version before stores the data', async () => {
      await storeSeller(world, shop.creator, { registration_number: number, registered_on: '2026-04-01' })
      const again = await storeSeller(world, shop.creator, { name: '山田 太郎' })
      expect(again.json().stored).toMatchObject({ registration_number: number, registered_on: '2026-04-01' })
      const emptied = await storeSeller(world, shop.creator, { registration_number: '', registered_on: '' })
      expect(emptied.json().stored).toMatchObject({ registration_number: '', registered_on: '' })
    })

    test('says what its issue said, also after the seller has changed or has left', async () => {
      await storeSeller(world, shop.creator, { registration_number: number, registered_on: '2026-04-01' })
      const first = await issued(world, shop.buyer, shop.paymentId)
      await storeSeller(world, shop.creator, { name: '別の名前', registration_number: '' })
      await rowsOf(world, `update users set name = '別の表示名' where id = $1`, [shop.creator.id])
      expect(await receiptOf(world, shop.buyer, shop.paymentId)).toEqual(first)
      await erase(shop.creator)
      expect(await receiptOf(world, shop.buyer, shop.paymentId)).toMatchObject({
        seller: first.seller,
        is_invoice: true,
      })
    })

    const found = async (of: IssuedKind, query: Record<string, string | number> = {}) => {
      const params = new URLSearchParams({ kind: of, ...query } as Record<string, string>)
      const reply = await call(world, admin, 'GET', `/admin/issued-documents?${params.toString()}`)
      expect(reply.statusCode).toBe(200)
      return reply.json<{ documents: IssuedDocument[]; next: string | null }>()
    }
    const briefly = (documents: readonly IssuedDocument[]) =>
      documents.map((it) => [it.issue, it.addressee, it.amount, it.refunded_amount])

    test('is found by day, amount and partner, each issue with its own addressee', async () => {
      await storeSeller(world, shop.creator, { display: 'published', name: '検索される販売者' })
      await issued(world, shop.buyer, shop.paymentId, '株式会社アルファ 御中')
      world.clock.now += DAY
      await refundPayment(world.deps, shop.paymentId, { actorId: admin.id, ip: '' })
      await issued(world, shop.buyer, shop.paymentId, '株式会社ベータ 御中')
      const dear = await buy(world, shop.buyer, await pricedPost(world, shop.creator, 3000), 3000)
      await issued(world, shop.buyer, dear, '株式会社ガンマ 御中')
      const [alpha, beta, gamma] = [
        [1, '株式会社アルファ 御中', 500, 0],
        [2, '株式会社ベータ 御中', 500, 500],
        [1, '株式会社ガンマ 御中', 3000, 0],
      ]
      const partner = '検索される販売者'
      const search = async (query: object) =>
        briefly((await found('receipt', { partner, ...query })).documents)
      expect((await search({})).toSorted()).toEqual([alpha, beta, gamma].toSorted())
      expect(await search({ to: '2026-11-20' })).toEqual([alpha])
      expect((await search({ from: '2026-11-21' })).toSorted()).toEqual([beta, gamma].toSorted())
      expect(await search({ from: '2026-11-21', most: 500 })).toEqual([beta])
      expect(await search({ least: 501 })).toEqual([gamma])
      expect(await search({ least: 501, most: 2999 })).toEqual([])
      expect(briefly((await found('receipt', { partner: '㈱ベータ' })).documents)).toEqual([])
      expect(briefly((await found('receipt', { partner: 'べーた' })).documents)).toEqual([beta])
    })

    test('is found by its statement, which is made out to the seller and not to the name of the app', async () => {
      await storeSeller(world, shop.creator, { name: '株式会社うみの' })
      const nobody = await openSellerShop(world)
      await closeAt(world, '2026-12-01T01:00')
      const statementOf = async (creator: Member) => {
        const { id } = defined((await statementsOf(world, creator))[0])
        const reply = await call(world, creator, 'GET', `/sales/statements/${id}`)
        return reply.json<{ creator: string; statement: StatementView }>()
      }
      expect((await statementOf(shop.creator)).creator).toBe('株式会社うみの')
      const [{ name }] = (await rowsOf(world, 'select name from users where id = $1', [
        nobody.creator.id,
      ])) as [{ name: string }]
      expect((await statementOf(nobody.creator)).creator).toBe(name)
      await storeSeller(world, shop.creator, { name: '別の名前' })
      const { creator, statement } = await statementOf(shop.creator)
      expect(creator).toBe('株式会社うみの')
      const copies = async (query: object) =>
        (await found('statement', { partner: 'うみの', ...query })).documents.map((it) => [
          it.number,
          it.amount,
          it.fee,
        ])
      expect(await copies({})).toEqual([[statement.number, 450, 50]])
      expect(await copies({ least: 50, most: 50 })).toHaveLength(1)
      expect(await copies({ least: 51, most: 449 })).toEqual([])
      expect(await copies({ to: '2026-11-30' })).toEqual([])
    })

    test('of a creator who has left with a balance is made out to the seller', async () => {
      await storeSeller(world, shop.creator, { name: '株式会社さったひと' })
      await erase(shop.creator)
      // What is sold in a closed month is in the next one.
      await closeAt(world, '2027-01-01T01:00')
      expect((await found('statement', { partner: 'さったひと' })).documents).toHaveLength(1)
    })

    test('is encrypted, stays for 98 months after the deletion of an account, and no longer', async () => {
      await storeSeller(world, shop.creator, { name: '株式会社のこるひと' })
      await issued(world, shop.buyer, shop.paymentId, 'のこる宛名')
      await closeAt(world, '2027-02-01T01:00')
      await erase(shop.buyer, shop.creator)
      const stored = await rowsOf(world, 'select i::text as row from receipt_issues i')
      expect(JSON.stringify(stored)).not.toContain('のこる')
      const left = async () => {
        await sweepIssuedDocuments(world.deps)
        // Sessions of years ago have ended.
        admin = await finance()
        return [
          (await found('receipt', { partner: 'のこる宛名' })).documents.length,
          (await found('statement', { partner: 'のこるひと' })).documents.length,
        ]
      }
      expect(await left()).toEqual([1, 1])
      world.clock.now = inTokyo('2035-01-20T11:00')
      expect(await left()).toEqual([1, 1])
      world.clock.now = inTokyo('2035-01-20T13:00')
      expect(await left()).toEqual([0, 1])
      world.clock.now = inTokyo('2035-04-03T00:00')
      expect(await left()).toEqual([0, 0])
    })

    test('of a server of the version before is an issue of its own, which the next sweep encrypts', async () => {
      await issued(world, shop.buyer, shop.paymentId, '甲')
      const again = `update receipts set addressee = $2, last_issued_at = last_issued_at + interval '1 hour', issues = issues + 1
        where payment_id = $1`
      await rowsOf(world, again, [shop.paymentId, '乙'])
      await rowsOf(world, again, [shop.paymentId, '丙'])
      const addressees = async () => {
        const { issued: of } = await receiptOf(world, shop.buyer, shop.paymentId)
        return [of?.addressee, of?.readdressed, of?.issues.map((it) => it.addressee)]
      }
      expect(await addressees()).toEqual(['丙', true, ['甲', '乙', '丙']])
      await sweepIssuedDocuments(world.deps)
      expect(await addressees()).toEqual(['丙', true, ['甲', '乙', '丙']])
      const plain = `select count(*)::int as count from receipt_issues where addressee <> ''`
      expect(await rowsOf(world, plain)).toEqual([{ count: 0 }])
    })

    test('of before issues were stored is stored by the next sweep', async () => {
      await issued(world, shop.buyer, shop.paymentId, '甲')
      await rowsOf(world, 'alter table receipt_issues disable trigger user')
      await rowsOf(world, 'delete from receipt_issues where payment_id = $1', [shop.paymentId])
      await rowsOf(world, 'alter table receipt_issues enable trigger user')
      expect(await receiptOf(world, shop.buyer, shop.paymentId)).toMatchObject({
        issued: { addressee: '甲' },
      })
      await sweepIssuedDocuments(world.deps)
      expect((await receiptOf(world, shop.buyer, shop.paymentId)).issued?.issues).toMatchObject([
        { issue: 1, addressee: '甲' },
      ])
    })

    test('cannot be changed or removed', async () => {
      await issued(world, shop.buyer, shop.paymentId)
      for (const text of ['delete from receipt_issues', 'update receipt_issues set amount = 1'])
        await expect(rowsOf(world, text)).rejects.toThrow('append-only')
    })

    test('is searched by staff who may see money, and each search is in the audit log', async () => {
      await issued(world, shop.buyer, shop.paymentId, '監査される宛名')
      const path = '/admin/issued-documents?kind=receipt'
      expect(errorOf(await call(world, shop.creator, 'GET', path)).code).toBe('not_found')
      await rowsOf(world, `update users set role = 'moderator' where id = $1`, [shop.creator.id])
      expect(errorOf(await call(world, shop.creator, 'GET', path)).code).toBe('not_found')
      const { documents } = await found('receipt', { partner: '監査される宛名' })
      const entries = await rowsOf(
        world,
        `select actor_id = subject_id as "isOwn", subject_kind, detail from audit_log
          where act = 'issued_documents.list' order by seq desc limit 1`,
      )
      const detail = { kind: 'receipt', documents: documents.map((it) => it.id) }
      expect(entries).toEqual([{ isOwn: true, subject_kind: 'user', detail }])
    })
  })
})
