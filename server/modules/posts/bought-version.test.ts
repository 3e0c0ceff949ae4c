// Buyers read what they bought, whatever its seller makes of it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { getBoughtVersion } from '#contract/posts/bought-version.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { buy, purchasesOf, receiptOf } from '#server/testing/payments/bought.ts'
import { begun, notice, noticeFields, openShop, type Shop } from '#server/testing/payments/shop.ts'
import { call, errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { DELETED_LIFE, emptyDeletedPosts } from './deleted.ts'

const BOUGHT = '有料の投稿です'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a sold post', () => {
    let world: World
    let shop: Shop
    beforeAll(async () => {
      world = await openWorld({ database: kind })
    })
    afterAll(() => world.close())
    beforeEach(async () => {
      shop = await openShop(world)
      world.clock.now += 1000
    })

    const change = async (body: object) => {
      world.clock.now += 1000
      const reply = await call(world, shop.creator, 'PATCH', `/posts/${shop.postId}`, body)
      expect(reply.statusCode).toBe(200)
      world.clock.now += 1000
    }
    const boughtBy = async (as: Member) =>
      (await call(world, as, 'GET', `/posts/${shop.postId}/bought`)).json<ReplyOf<typeof getBoughtVersion>>()
        .version
    const versions = async () =>
      (
        await world.database.executeSql(
          'select content from post_versions where post_id = $1 order by replaced_at',
          [shop.postId],
        )
      ).rows.map((it) => (it as { content: string }).content)

    test('that is emptied is still read as it was bought, and each buyer has their own version', async () => {
      const second = await signUp(world)
      await change({ title: '一つ目' })
      await buy(world, shop.buyer, shop.postId)
      expect(await boughtBy(shop.buyer)).toBeNull()
      await change({ content: '。', title: '' })
      const changedAt = new Date(world.clock.now - 1000).toISOString()
      await buy(world, second, shop.postId)
      await change({ content: '別の文' })
      expect(await boughtBy(shop.buyer)).toEqual({
        title: '一つ目',
        introduction: '',
        content: BOUGHT,
        changed_at: changedAt,
      })
      expect(await boughtBy(second)).toMatchObject({ title: '', content: '。' })
    })

    test('keeps a version for each edit after an order, and none that no buyer could have bought', async () => {
      await change({ content: '売れる前' })
      expect(await versions()).toEqual([])
      await buy(world, shop.buyer, shop.postId)
      await change({ content: '一' })
      await change({ content: '二' })
      await change({ comments_closed: true })
      expect(await versions()).toEqual(['売れる前'])
      await buy(world, await signUp(world), shop.postId)
      await change({ content: '三' })
      expect(await versions()).toEqual(['売れる前', '二'])
    })

    test('is bought as it was when the buyer confirmed, also if it is changed before the charge', async () => {
      const { fields } = await begun(world, shop.buyer, shop.postId)
      await change({ content: '。', title: 'あとの題' })
      await notice(world, noticeFields(fields))
      expect(await boughtBy(shop.buyer)).toMatchObject({ content: BOUGHT })
    })

    test('keeps the version of an edit at the same moment as the order', async () => {
      await addPurchase(world.deps.db, shop.postId, shop.buyer.id, 500, world.clock.now + 1000)
      await change({ content: '。' })
      expect(await boughtBy(shop.buyer)).toMatchObject({ content: BOUGHT })
    })

    test('shows the version to its buyer alone, and not after a refund', async () => {
      const paymentId = await buy(world, shop.buyer, shop.postId)
      await change({ content: '。' })
      const [stranger, path] = [await signUp(world), `/posts/${shop.postId}/bought`]
      expect(errorOf(await call(world, stranger, 'GET', path)).code).toBe('not_found')
      expect(errorOf(await call(world, null, 'GET', path)).code).toBe('unauthenticated')
      expect(await boughtBy(shop.creator)).toBeNull()
      await change({ audience: { type: 1 } })
      expect(await boughtBy(stranger)).toBeNull()
      expect(await boughtBy(shop.buyer)).toMatchObject({ content: BOUGHT })
      await refundPayment(world.deps, paymentId, { actorId: newId(), ip: '192.0.2.1' })
      expect(await boughtBy(shop.buyer)).toBeNull()
    })

    test('is named in history and receipt by the title that it was bought with', async () => {
      await change({ title: '買ったときの題' })
      const paymentId = await buy(world, shop.buyer, shop.postId)
      await change({ title: '別の題' })
      expect(await purchasesOf(world, shop.buyer)).toMatchObject([{ title: '買ったときの題' }])
      expect(await receiptOf(world, shop.buyer, paymentId)).toMatchObject({ title: '買ったときの題' })
    })

    test('leaves no version once it is deleted and emptied', async () => {
      const paymentId = await buy(world, shop.buyer, shop.postId)
      await change({ content: '。' })
      await refundPayment(world.deps, paymentId, { actorId: newId(), ip: '192.0.2.1' })
      await call(world, shop.creator, 'DELETE', `/posts/${shop.postId}`)
      world.clock.now += DELETED_LIFE + 1
      await emptyDeletedPosts(world.deps)
      expect(await versions()).toEqual([])
    })
  })
})
