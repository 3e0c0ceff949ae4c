// Lists of conversations: order, pages, pinned and archived ones, and counts of unread messages.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { MAX_PINNED } from '#contract/limits.ts'
import { chatIn, contentOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('lists of conversations', () => {
    let world: World
    let me: Member
    let one: Member
    let two: Member
    beforeAll(async () => {
      world = await openWorld({ database: kind })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    beforeEach(async () => {
      ;[me, one, two] = [await signUp(world), await signUp(world), await signUp(world)]
      for (const it of [one, two]) await chat.follow(me, it)
    })
    /** One second later than everything before. */
    const write = (from: Member, to: Member, content = 'こんにちは') => {
      world.clock.now += 1000
      return chat.write(from, to, content)
    }
    const idsOf = async (as: Member, query = '') =>
      (await chat.listOf(as, query)).conversations.map((it) => it.person.id)

    test('the conversation with the newest message is first, with that message and its unread count', async () => {
      await write(one, me, '1')
      await write(two, me, '2')
      expect(await idsOf(me)).toEqual([two.id, one.id])
      await write(one, me, '3')
      const { conversations } = await chat.listOf(me)
      expect(
        conversations.map((it) => [it.person.id, it.unread, it.last_message && contentOf(it.last_message)]),
      ).toEqual([
        [one.id, 2, '3'],
        [two.id, 1, '2'],
      ])
      expect(await chat.unreadOf(me)).toEqual({ count: 3, requests: 0 })
      expect((await chat.listOf(one)).conversations[0]).toMatchObject({ unread: 0, person: { id: me.id } })
    })

    test('pages have every conversation once', async () => {
      const people = []
      for (let n = 0; n < 35; n++) {
        const it = await signUp(world)
        await chat.follow(me, it)
        await write(it, me)
        people.push(it.id)
      }
      const first = await chat.listOf(me)
      const second = await chat.listOf(me, `?cursor=${first.next}`)
      const found = [...first.conversations, ...second.conversations].map((it) => it.person.id)
      expect([found, first.conversations.length, second.next]).toEqual([people.toReversed(), 30, null])
    })

    test('pinned conversations are separate on the first page, and at most ten', async () => {
      await write(one, me)
      await write(two, me)
      await chat.set(me, one, { pinned: true })
      const { pinned, conversations } = await chat.listOf(me)
      expect([pinned, conversations].map((list) => list.map((it) => it.person.id))).toEqual([
        [one.id],
        [two.id],
      ])
      expect(pinned[0]).toMatchObject({ pinned: true })
      for (let n = 1; n < MAX_PINNED; n++) {
        const it = await signUp(world)
        await chat.write(me, it)
        expect(outcomeOf(await chat.set(me, it, { pinned: true }))).toBe(200)
      }
      expect(outcomeOf(await chat.set(me, two, { pinned: true }))).toBe('conflict')
      expect(outcomeOf(await chat.set(me, one, { pinned: true }))).toBe(200)
      await chat.set(me, one, { pinned: false })
      expect(outcomeOf(await chat.set(me, two, { pinned: true }))).toBe(200)
    })

    test('an archived conversation returns with the next message, unless it is muted', async () => {
      await write(one, me)
      await chat.set(me, one, { archived: true })
      expect([await idsOf(me), await idsOf(me, '?list=archived')]).toEqual([[], [one.id]])
      expect((await chat.unreadOf(me)).count).toBe(0)
      await write(one, me)
      expect([await idsOf(me), await idsOf(me, '?list=archived')]).toEqual([[one.id], []])
      await chat.set(me, one, { archived: true, muted: true })
      await write(one, me)
      expect(await idsOf(me, '?list=archived')).toEqual([one.id])
      await write(me, one)
      expect(await idsOf(me)).toEqual([one.id])
    })

    test('muted conversations are listed with their count, and not in the sum', async () => {
      await write(one, me)
      await write(two, me)
      await chat.set(me, one, { muted: true })
      expect(await idsOf(me)).toEqual([two.id, one.id])
      expect(await chat.unreadOf(me)).toEqual({ count: 1, requests: 0 })
      expect(await chat.stateOf(me, one)).toMatchObject({ muted: true, unread: 1, pinned: false })
    })

    test('an unsent message is not unread, and the last message of a list is one that is not deleted', async () => {
      await write(one, me, '1')
      const it = await write(one, me, '2')
      await chat.unsend(one, it.id)
      expect((await chat.unreadOf(me)).count).toBe(1)
      const last = async () => (await chat.listOf(me)).conversations[0]?.last_message
      expect((await last())?.body).toEqual({ is: 'unsent' })
      await chat.hide(me, it.id)
      expect((await last())?.body).toMatchObject({ content: '1' })
    })

    test('a mute of a person hides no messages', async () => {
      await write(one, me)
      await call(world, me, 'PUT', `/mutes/${one.id}`)
      expect([await idsOf(me), (await chat.unreadOf(me)).count]).toEqual([[one.id], 1])
    })

    test('a person who is suspended or leaving is shown without name, and cannot be written to', async () => {
      await write(one, me, 'のこる')
      await world.database.executeSql('update users set suspended_at = now() where id = $1', [one.id])
      const [listed] = (await chat.listOf(me)).conversations
      expect(listed?.person).toEqual({ id: one.id, name: '退会したユーザー', handle: null, avatar_url: null })
      expect(await chat.stateOf(me, one)).toMatchObject({ may_write: 'closed', marks: null })
      expect(outcomeOf(await chat.send(me, one))).toBe('forbidden')
      expect((await chat.messagesOf(me, one)).messages.map(contentOf)).toEqual(['のこる'])
    })

    test('before the first message there is a state, and nothing to change', async () => {
      const [stranger, unknown] = [await signUp(world), { ...one, id: newId() }]
      expect(await chat.stateOf(me, stranger)).toMatchObject({
        conversation_id: null,
        may_write: 'request',
        last_seq: 0,
      })
      expect((await chat.messagesOf(me, stranger)).messages).toEqual([])
      for (const it of [
        chat.set(me, stranger, { pinned: true }),
        chat.answer(me, stranger, 'accept'),
        chat.clear(me, stranger),
        chat.send(me, unknown),
      ])
        expect(outcomeOf(await it)).toBe('not_found')
    })
  })
})
