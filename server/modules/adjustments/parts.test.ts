// After a refund of a part: tasks, rows, emails, and the membership of the month.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { decide, dispute, refund } from '#server/testing/adjustments/adjustments.ts'
import { joined, membershipOf, openClub, planPost } from '#server/testing/memberships/club.ts'
import { buy } from '#server/testing/payments/bought.ts'
import { accessOf, openShop, rowsOf, type Shop } from '#server/testing/payments/shop.ts'
import { operator } from '#server/testing/payouts/payouts.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a payment of which a part is refunded', () => {
    let world: World
    let by: Member
    let shop: Shop
    let id: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      by = await operator(world)
      shop = await openShop(world)
      id = await buy(world, shop.buyer, shop.postId)
    })

    const emails = async (to: Member, is: string) =>
      (await emailsTo(world, to.email)).flatMap((it) => (it.is === is ? [it] : []))
    const returned = () =>
      rowsOf<{ amount: number }>(
        world,
        `select r.amount from refunds r join ledger_entries e on e.refund_id = r.id and e.cause = 'refund_paid'
         where r.payment_id = $1`,
        [id],
      )

    test('is owed until the task of each part is closed: one that is closed by hand books its own part', async () => {
      await refund(world, by, id, { amount: 100, left: 500 })
      await refund(world, by, id, { amount: 150, left: 400 })
      const tasks = await rowsOf<{ id: string }>(
        world,
        `select id from operator_tasks where payment_id = $1 and details->>'amount' = '150'`,
        [id],
      )
      await call(world, by, 'POST', `/admin/tasks/${tasks[0]?.id}/close`, { preview: false })
      expect(await returned()).toEqual([{ amount: 150 }])
    })

    test('is refunded as a whole by a lost dispute, whose email has what was left', async () => {
      await refund(world, by, id, { amount: 200, left: 500 })
      const disputeId = newId()
      await dispute(world, by, id, { id: disputeId, left: 300 })
      expect(await emails(shop.creator, 'sale_disputed')).toEqual([expect.objectContaining({ amount: 300 })])
      await decide(world, by, disputeId, 'lost')
      expect(await rowsOf(world, 'select state, refunded_amount from payments where id = $1', [id])).toEqual([
        { state: 'refunded', refunded_amount: 500 },
      ])
      expect(await emails(shop.creator, 'dispute_lost')).toEqual([expect.objectContaining({ amount: 300 })])
    })

    test('is told as a part to its buyer, also the last one', async () => {
      await refund(world, by, id, { amount: 200, left: 500 })
      await refund(world, by, id, { amount: 300, left: 300 })
      expect(await emails(shop.buyer, 'refund')).toEqual([
        expect.objectContaining({ amount: 200, isPart: true }),
        expect.objectContaining({ amount: 300, isPart: true }),
      ])
    })

    test('goes on as a month of its membership, until all of it is refunded', async () => {
      const { creator, fan, plan } = await openClub(world)
      const post = await planPost(world, creator, plan.id)
      const month = await joined(world, fan, plan.id)
      await refund(world, by, month.id, { amount: 499, left: 500 })
      expect([await accessOf(world, fan, post), (await membershipOf(world, fan))?.state]).toEqual([
        'full',
        'active',
      ])
      await refund(world, by, month.id, { amount: 1, left: 1 })
      expect(await accessOf(world, fan, post)).toBe('plan')
    })

    test('is not disputed, and no dispute of it decided, by its seller or buyer while there is another admin', async () => {
      const disputeId = newId()
      const asOwn = async (it: Member, act: () => ReturnType<typeof decide>) => {
        await rowsOf(world, `update users set role = 'admin' where id = $1`, [it.id])
        await validate(world, it)
        expect(errorOf(await act()).code).toBe('forbidden')
        await rowsOf(world, `update users set role = 'member' where id = $1`, [it.id])
      }
      for (const it of [shop.creator, shop.buyer])
        await asOwn(it, () => dispute(world, it, id, { left: 500 }))
      await dispute(world, by, id, { id: disputeId, left: 500 })
      for (const it of [shop.creator, shop.buyer])
        await asOwn(it, () => decide(world, it, disputeId, 'covered'))
      expect(await rowsOf(world, 'select state from disputes where id = $1', [disputeId])).toEqual([
        { state: 'open' },
      ])
    })
  })
})
