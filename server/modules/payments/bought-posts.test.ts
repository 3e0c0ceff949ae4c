// What was bought stays with its buyer, or the money comes back.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { KEPT_MS } from '#contract/payments/bought.ts'
import { acting, deskIn } from '#server/testing/moderation/desk.ts'
import { removeUnusedMedia } from '#server/testing/moderation/jobs.ts'
import { buy, purchasesOf } from '#server/testing/payments/bought.ts'
import {
  accessOf,
  ledgerOf,
  openShop,
  releasedPost,
  rowsOf,
  type Shop,
} from '#server/testing/payments/shop.ts'
import { emailsTo } from '#server/testing/people/emails.ts'
import { deleteDue, endKeptYear, leave, sweepDeletedPosts } from '#server/testing/people/leaving.ts'
import { call, errorOf, type Member, signUp, upload } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

/** How long removed posts can come back, ms (`modules/posts/deleted.ts`). */
const DELETED_LIFE = 30 * 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a bought post', () => {
    let world: World
    let shop: Shop
    let paymentId: string
    const desk = deskIn(() => world)
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    beforeEach(async () => {
      shop = await openShop(world)
      paymentId = await buy(world, shop.buyer, shop.postId)
    })

    const read = (as: Member) => call(world, as, 'GET', `/posts/${shop.postId}`)
    const refusedTo = async (as: Member) => errorOf(await read(as)).code
    const like = (as: Member) => call(world, as, 'PUT', `/posts/${shop.postId}/like`)
    const linked = async () => {
      const [bought] = await purchasesOf(world, shop.buyer)
      return bought?.kind === 'post' ? (bought.post?.id ?? null) : undefined
    }
    const refunds = async (of: Member) => (await emailsTo(world, of.email)).filter((it) => it.is === 'refund')
    async function erase(whom: Member): Promise<void> {
      await leave(world, whom)
      world.clock.now += LEAVING_MS
      await deleteDue(world)
    }

    test.each(['creator', 'buyer'] as const)(
      'stays readable from the history after a block by the %s, without reactions and outside of lists',
      async (by) => {
        const whom = by === 'creator' ? shop.buyer : shop.creator
        await call(world, shop.creator, 'PATCH', `/posts/${shop.postId}`, { content: '直した投稿です' })
        expect((await call(world, shop[by], 'PUT', `/blocks/${whom.id}`)).statusCode).toBe(200)
        expect((await read(shop.buyer)).json().access).toMatchObject({
          is: 'full',
          content: '直した投稿です',
          read_only: true,
        })
        const bought = await call(world, shop.buyer, 'GET', `/posts/${shop.postId}/bought`)
        expect(bought.json().version).toMatchObject({ content: '有料の投稿です' })
        expect(await linked()).toBe(shop.postId)
        expect(errorOf(await like(shop.buyer)).code).toBe('not_found')
        expect(errorOf(await call(world, shop.buyer, 'GET', `/posts/${shop.postId}/comments`)).code).toBe(
          'not_found',
        )
        const list = await call(world, shop.buyer, 'GET', `/posts?author=${shop.creator.id}`)
        expect(list.json().posts).toEqual([])
        expect(await refunds(shop.buyer)).toEqual([])
      },
    )

    test('is closed by a block to who has been refunded', async () => {
      await world.database.executeSql('update post_purchases set revoked_at = now() where post_id = $1', [
        shop.postId,
      ])
      await call(world, shop.creator, 'PUT', `/blocks/${shop.buyer.id}`)
      expect(await refusedTo(shop.buyer)).toBe('not_found')
    })

    test('is read for a year after the account of its creator was deleted, by its buyers alone, and then removed', async () => {
      const file = await upload(world, shop.creator, await jpeg(), '自撮り.jpg')
      const pictured = await releasedPost(world, shop.creator, [
        ['content', '有料の絵'],
        ['type', '3'],
        ['price', '500'],
        ['has_image_file[]', file],
      ])
      await buy(world, shop.buyer, pictured)
      const stranger = await signUp(world)
      await erase(shop.creator)
      const until = world.clock.now + KEPT_MS
      expect((await read(shop.buyer)).json()).toMatchObject({
        author: { name: '退会したユーザー' },
        access: { content: '有料の投稿です', read_only: true, until: new Date(until).toISOString() },
      })
      expect([await refusedTo(stranger), await linked()]).toEqual(['not_found', pictured])
      expect(await emailsTo(world, shop.buyer.email)).toContainEqual(
        expect.objectContaining({ is: 'bought_kept', count: 2, until }),
      )
      const stored = () => rowsOf(world, 'select metadata from uploads where id = $1', [file])
      expect(JSON.stringify(await stored())).not.toContain('自撮り')
      await sweepDeletedPosts(world)
      expect([await accessOf(world, shop.buyer, pictured), (await stored()).length]).toEqual(['full', 1])
      await endKeptYear(world, shop.creator.id)
      await removeUnusedMedia(world)
      expect([await refusedTo(shop.buyer), await linked()]).toEqual(['not_found', null])
      const left = await rowsOf(world, 'select content from posts where id = $1', [shop.postId])
      expect(left).toEqual([{ content: '' }])
      expect(await stored()).toEqual([])
    })

    test('of a deleted account is removed as soon as its last buyer has left too', async () => {
      await erase(shop.creator)
      await erase(shop.buyer)
      await sweepDeletedPosts(world)
      expect(await rowsOf(world, 'select content from posts where id = $1', [shop.postId])).toEqual([
        { content: '' },
      ])
    })

    test('that has no buyer is deleted with the account', async () => {
      const other = await openShop(world)
      await erase(other.creator)
      expect(await rowsOf(world, 'select 1 from posts where id = $1', [other.postId])).toEqual([])
    })

    test('that staff remove is refunded once it cannot come back, with the reason in the email', async () => {
      const moderator = await desk.staff('moderator')
      await desk.report(shop.buyer, `post/${shop.postId}`)
      await desk.act(moderator, await desk.caseOf(shop.postId), { ...acting, content: 'remove' })
      world.clock.now += DELETED_LIFE - 60_000
      await sweepDeletedPosts(world)
      expect(await refunds(shop.buyer)).toEqual([])
      world.clock.now += 120_000
      for (let n = 0; n < 2; n++) await sweepDeletedPosts(world)
      expect(await refunds(shop.buyer)).toEqual([
        expect.objectContaining({ amount: 500, isPart: false, reason: '購入した投稿を、運営が削除したため' }),
      ])
      expect((await purchasesOf(world, shop.buyer))[0]).toMatchObject({ id: paymentId, state: 'refunded' })
      expect((await ledgerOf(world))['sales']).toBeUndefined()
    })

    test('that staff removed is refunded when its creator leaves before it is emptied', async () => {
      const moderator = await desk.staff('moderator')
      await desk.report(shop.buyer, `post/${shop.postId}`)
      await desk.act(moderator, await desk.caseOf(shop.postId), { ...acting, content: 'remove' })
      await erase(shop.creator)
      expect(await refunds(shop.buyer)).toHaveLength(1)
      expect((await purchasesOf(world, shop.buyer))[0]).toMatchObject({ state: 'refunded', post: null })
    })

    test('that was bought more than a year before its removal is not refunded', async () => {
      await world.database.executeSql(
        `update payments set paid_at = paid_at - interval '366 days' where id = $1`,
        [paymentId],
      )
      const moderator = await desk.staff('moderator')
      await desk.report(shop.buyer, `post/${shop.postId}`)
      await desk.act(moderator, await desk.caseOf(shop.postId), { ...acting, content: 'remove' })
      world.clock.now += DELETED_LIFE + 60_000
      await sweepDeletedPosts(world)
      expect(await refunds(shop.buyer)).toEqual([])
    })
  })
})
