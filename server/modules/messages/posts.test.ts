// Messages that carry a post: who may attach which, and what becomes of it.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LEAVING_MS } from '#contract/accounts/leaving.ts'
import { newId } from '#contract/ids.ts'
import type { MessageView } from '#contract/messages/messages.ts'
import { conversationNotice } from '#server/services/notifications/message-notice.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import {
  addPost,
  call,
  errorOf,
  identify,
  type Member,
  postIdOf,
  signUp,
} from '#server/testing/people/members.ts'
import { pricedPost, releasedPost } from '#server/testing/payments/shop.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const cardOf = (it: MessageView | undefined) => (it?.body.is === 'text' ? it.body.post : it?.body.is)

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a post in a message', () => {
    let world: World
    let creator: Member
    let fan: Member
    let priced: string
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    const cardsOf = async (as: Member, to: Member) => (await chat.messagesOf(as, to)).messages.map(cardOf)
    beforeEach(async () => {
      ;[creator, fan] = [await identify(world, await signUp(world)), await signUp(world)]
      await chat.follow(fan, creator)
      priced = await pricedPost(world, creator)
    })

    test('may be alone, and the other person gets its price', async () => {
      const sent = await chat.write(creator, fan, '', { post_id: priced })
      expect(cardOf(sent)).toMatchObject({ is: 'full', id: priced, excerpt: '' })
      expect(await cardsOf(fan, creator)).toMatchObject([
        { is: 'preview', id: priced, wants: 'purchase', price: 500 },
      ])
      const [listed] = (await chat.listOf(fan)).conversations
      expect(cardOf(listed?.last_message ?? undefined)).toMatchObject({ is: 'preview', id: priced })
      expect((await conversationNotice(world.deps.db, sent.id))?.words.body).toBe('メッセージが届きました')
    })

    test('must be a released post of the sender', async () => {
      const unreleased = postIdOf(
        await addPost(
          world,
          creator,
          [
            ['content', '下書き'],
            ['type', '1'],
          ],
          newId(),
        ),
      )
      const deleted = await pricedPost(world, creator)
      await call(world, creator, 'DELETE', `/posts/${deleted}`)
      const foreign = await releasedPost(world, fan, [
        ['content', 'ファンの投稿'],
        ['type', '1'],
      ])
      for (const id of [unreleased, deleted, foreign, newId()]) {
        const refused = await chat.send(creator, fan, { post_id: id })
        expect(errorOf(refused)).toMatchObject({ code: 'invalid', fields: { post_id: 'unknown_post' } })
      }
      expect(await cardsOf(fan, creator)).toEqual([])
    })

    test('is part of the message: sent again with another post it is another message', async () => {
      const id = newId()
      const draft = { id, content: 'これです', post_id: priced }
      expect(outcomeOf(await chat.send(creator, fan, draft))).toBe(200)
      expect(outcomeOf(await chat.send(creator, fan, draft))).toBe(200)
      const another = await pricedPost(world, creator)
      for (const post_id of [another, null])
        expect(outcomeOf(await chat.send(creator, fan, { ...draft, post_id }))).toBe('conflict')
      // A message that was sent before stays the same after its post is deleted.
      await call(world, creator, 'DELETE', `/posts/${priced}`)
      expect(outcomeOf(await chat.send(creator, fan, draft))).toBe(200)
      expect(await cardsOf(fan, creator)).toEqual([{ is: 'none' }])
    })

    test('is not shown in a message request, until it is accepted', async () => {
      const stranger = await signUp(world)
      await chat.write(creator, stranger, '見てください', { post_id: priced })
      const { last_change: before } = await chat.stateOf(stranger, creator)
      expect(await cardsOf(stranger, creator)).toEqual([{ is: 'requested' }])
      expect(await cardsOf(creator, stranger)).toMatchObject([{ is: 'full' }])
      await chat.answer(stranger, creator, 'accept')
      const { messages } = await chat.changesOf(stranger, creator, before)
      expect(messages.map(cardOf)).toMatchObject([{ is: 'preview', id: priced }])
    })

    test('is gone with the message that is unsent', async () => {
      const sent = await chat.write(creator, fan, '', { post_id: priced })
      await chat.unsend(creator, sent.id)
      expect(await cardsOf(fan, creator)).toEqual(['unsent'])
      const { rows } = await world.database.executeSql('select post_id from messages where id = $1', [
        sent.id,
      ])
      expect(rows).toEqual([{ post_id: null }])
    })

    test('of a reply is named where the reply is shown', async () => {
      const sent = await chat.write(creator, fan, '', { post_id: priced })
      await chat.write(fan, creator, 'いいですね', { reply_to: sent.id })
      const [, reply] = (await chat.messagesOf(fan, creator)).messages
      expect(reply?.body).toMatchObject({ reply_to: { excerpt: '', media_count: 0, has_post: true } })
    })

    test('is taken from messages of a deleted account, and a message of it alone becomes an unsent one', async () => {
      await chat.write(creator, fan, '', { post_id: priced })
      await chat.write(creator, fan, '新しい投稿です', { post_id: priced })
      await leave(world, creator)
      expect(await cardsOf(fan, creator)).toEqual([{ is: 'none' }, { is: 'none' }])
      world.clock.now += LEAVING_MS
      await deleteDue(world)
      expect(await cardsOf(fan, creator)).toEqual(['unsent', null])
    })
  })
})
