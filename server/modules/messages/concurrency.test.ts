// Messages sent at once: one order without gaps for both people and all devices.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { chatIn, contentOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { call, type Member, signInAgain, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('messages at once', () => {
    let world: World
    let me: Member
    let other: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    beforeEach(async () => {
      ;[me, other] = [await signUp(world), await signUp(world)]
      await chat.follow(me, other)
      await chat.follow(other, me)
    })

    test('fifty from both people and two devices have the numbers 1 to 50, in one order for all', async () => {
      const tablet = await signInAgain(world, me)
      const senders = [me, other, tablet, other]
      const sent = await Promise.all(
        Array.from({ length: 50 }, (_, n) => {
          const from = senders[n % 4] ?? me
          return chat.write(from, from === other ? me : other, `${n}`)
        }),
      )
      expect(sent.map((it) => it.seq).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, n) => n + 1),
      )
      expect(new Set(sent.map((it) => it.change)).size).toBe(50)
      const seen = await Promise.all([
        chat.messagesOf(me, other),
        chat.messagesOf(tablet, other),
        chat.messagesOf(other, me),
      ])
      const order = sent.toSorted((a, b) => a.seq - b.seq).map(contentOf)
      expect(seen.map((it) => it.messages.map(contentOf))).toEqual([order, order, order])
      expect([await chat.stateOf(me, other), await chat.stateOf(other, me)]).toMatchObject([
        { last_seq: 50, unread: 25 },
        { last_seq: 50, unread: 25 },
      ])
    })

    test('a message that is sent several times at once is stored once, with one reply', async () => {
      const id = newId()
      const replies = await Promise.all(Array.from({ length: 8 }, () => chat.send(me, other, { id })))
      expect(new Set(replies.map((it) => it.body)).size).toBe(1)
      expect((await chat.messagesOf(other, me)).messages.map((it) => [it.id, it.seq])).toEqual([[id, 1]])
      expect((await chat.unreadOf(other)).count).toBe(1)
    })

    test('a request that is accepted while its next message is sent stays accepted', async () => {
      for (let n = 0; n < 10; n++) {
        const [stranger, recipient] = [await signUp(world), await signUp(world)]
        await chat.write(stranger, recipient)
        await Promise.all([
          chat.answer(recipient, stranger, 'accept'),
          chat.write(stranger, recipient, 'もう一つ'),
        ])
        expect(await chat.stateOf(recipient, stranger)).toMatchObject({ is_request: false, unread: 2 })
        expect((await chat.stateOf(stranger, recipient)).may_write).toBe('open')
      }
    })

    test('first messages of both people at once are in one conversation', async () => {
      await Promise.all([chat.write(me, other), chat.write(other, me)])
      const ids = [await chat.stateOf(me, other), await chat.stateOf(other, me)].map(
        (it) => it.conversation_id,
      )
      expect(new Set(ids).size).toBe(1)
      expect((await chat.messagesOf(me, other)).messages.map((it) => it.seq)).toEqual([1, 2])
    })

    test('messages of one request at once are not more than three', async () => {
      const stranger = await signUp(world)
      const replies = await Promise.all(Array.from({ length: 8 }, () => chat.send(stranger, me)))
      expect(replies.map(outcomeOf).toSorted()).toEqual([200, 200, 200, ...Array(5).fill('forbidden')])
    })

    test('after a block no message is accepted, however close they are', async () => {
      const sending = Array.from({ length: 10 }, () => chat.send(me, other))
      const block = call(world, other, 'PUT', `/blocks/${me.id}`)
      const outcomes = (await Promise.all(sending)).map(outcomeOf)
      await block
      expect(outcomeOf(await chat.send(me, other))).toBe('forbidden')
      await call(world, other, 'DELETE', `/blocks/${me.id}`)
      const { messages } = await chat.messagesOf(other, me)
      expect(messages).toHaveLength(outcomes.filter((it) => it === 200).length)
    })

    test('changes of one message at once have numbers of their own', async () => {
      const it = await chat.write(me, other)
      await chat.write(other, me)
      const work = [
        chat.react(me, it.id),
        chat.react(other, it.id),
        chat.hide(other, it.id),
        chat.read(other, me, 1),
      ]
      await Promise.all([...work, chat.unsend(me, it.id)])
      const { unread, last_change: last } = await chat.stateOf(other, me)
      const [unsent] = (await chat.messagesOf(me, other)).messages
      expect([unread, unsent?.body]).toEqual([0, { is: 'unsent' }])
      expect(last).toBeGreaterThanOrEqual(4)
    })
  })
})
