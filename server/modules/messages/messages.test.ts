// Messages: order, repeated requests, replies, unsending, deletion for oneself and reactions.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { UNSEND_MS } from '#contract/limits.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { chatIn, contentOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { errorOf, type Member, signUp } from '#server/testing/people/members.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('messages', () => {
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
    const contents = async (as: Member, to: Member, query = '') =>
      (await chat.messagesOf(as, to, query)).messages.map(contentOf)

    test('both see the messages in the order of their sequence numbers', async () => {
      const first = await chat.write(me, other, 'はじめ')
      const reply = await chat.write(other, me, 'つぎ', { reply_to: first.id })
      expect([first.seq, reply.seq]).toEqual([1, 2])
      expect(await contents(me, other)).toEqual(['はじめ', 'つぎ'])
      expect(await contents(other, me)).toEqual(['はじめ', 'つぎ'])
      expect(reply.body).toEqual({
        is: 'text',
        content: 'つぎ',
        media: [],
        hidden_media: 0,
        post: null,
        reply_to: {
          id: first.id,
          seq: 1,
          sender_id: me.id,
          excerpt: 'はじめ',
          media_count: 0,
          has_post: false,
        },
        reactions: [],
      })
    })

    test('a message sent again is one message, and its id is a conflict for anything else', async () => {
      const id = newId()
      const first = (await chat.send(me, other, { id, content: '一度' })).json()
      expect((await chat.send(me, other, { id, content: '一度' })).json()).toEqual(first)
      const third = await signUp(world)
      await chat.follow(third, me)
      for (const it of [
        chat.send(me, other, { id, content: 'べつ' }),
        chat.send(other, me, { id, content: '一度' }),
        chat.send(me, third, { id, content: '一度' }),
      ])
        expect(errorOf(await it).code).toBe('conflict')
      expect(await contents(other, me)).toEqual(['一度'])
    })

    test('an accepted message is found again after its sender may no longer write', async () => {
      const id = newId()
      const first = (await chat.send(me, other, { id })).json()
      await chat.setPrivacy(other, { message_from: 'nobody' })
      expect((await chat.send(me, other, { id })).json()).toEqual(first)
      expect(outcomeOf(await chat.send(me, other))).toBe('forbidden')
    })

    test.each([
      ['   \n　', 'required'],
      ['\u200b', 'invisible'],
      ['あ'.repeat(2001), 'too_long'],
      [`a${'\u0301'.repeat(20_000)}`, 'too_many_bytes'],
    ])('%#: a message without or with too much text is refused', async (content, code) => {
      expect(errorOf(await chat.send(me, other, { content }))).toEqual({
        code: 'invalid',
        fields: { content: code },
      })
    })

    test('2000 emoji of two code points each are 2000 characters', async () => {
      const content = '👩🏽'.repeat(2000)
      expect(contentOf(await chat.write(me, other, content))).toBe(content)
    })

    test('a reply to a message of another conversation is not_found and takes no number', async () => {
      const third = await signUp(world)
      await chat.follow(third, other)
      const elsewhere = await chat.write(other, third, 'よそ')
      expect(outcomeOf(await chat.send(me, other, { reply_to: elsewhere.id }))).toBe('not_found')
      expect((await chat.write(me, other)).seq).toBe(1)
    })

    test('an unsent message leaves a placeholder for both, without text, reactions and excerpt', async () => {
      const it = await chat.write(me, other, 'まちがい')
      await chat.write(other, me, 'えっ', { reply_to: it.id })
      await chat.react(other, it.id)
      expect(outcomeOf(await chat.unsend(other, it.id))).toBe('forbidden')
      expect((await chat.unsend(me, it.id)).json().body).toEqual({ is: 'unsent' })
      const again = (await chat.unsend(me, it.id)).json()
      const { messages } = await chat.messagesOf(other, me)
      expect(messages[0]).toEqual(again)
      expect(messages[1]?.body).toMatchObject({ reply_to: { id: it.id, excerpt: null } })
      expect(outcomeOf(await chat.react(other, it.id))).toBe('gone')
      const { rows } = await world.database.executeSql('select content from messages where id = $1', [it.id])
      expect(rows).toEqual([{ content: '' }])
    })

    test('a message can be unsent for 24 hours', async () => {
      const it = await chat.write(me, other)
      world.clock.now += UNSEND_MS
      const later = await chat.write(me, other)
      expect(outcomeOf(await chat.unsend(me, it.id))).toBe(200)
      world.clock.now += UNSEND_MS + 1
      expect(outcomeOf(await chat.unsend(me, later.id))).toBe('forbidden')
    })

    test('a message deleted for oneself stays for the other person, who sees no change of it', async () => {
      const it = await chat.write(me, other, 'ひとつ')
      await chat.write(me, other, 'ふたつ')
      const { next } = await chat.changesOf(me, other)
      const before = await chat.stateOf(me, other)
      expect(outcomeOf(await chat.hide(other, it.id))).toBe(200)
      expect(outcomeOf(await chat.hide(other, it.id))).toBe(200)
      expect(await contents(other, me)).toEqual(['ふたつ'])
      expect(await contents(me, other)).toEqual(['ひとつ', 'ふたつ'])
      expect([await chat.stateOf(me, other), await chat.changesOf(me, other, next.after)]).toMatchObject([
        before,
        { messages: [], deleted: [] },
      ])
      expect(await chat.changesOf(other, me, next.after)).toMatchObject({
        messages: [],
        deleted: [it.id],
        next: { ...next, deleted_after: 1 },
      })
      expect((await chat.changesOf(other, me, next.after, 1)).deleted).toEqual([])
      expect(outcomeOf(await chat.send(me, other, { id: it.id, content: 'ひとつ' }))).toBe(200)
      await chat.hide(me, it.id)
      const again = await chat.send(me, other, { id: it.id, content: 'ひとつ' })
      expect([again.statusCode, again.json().message]).toEqual([200, null])
    })

    test('a deleted conversation is empty for one person, and goes on with the next message', async () => {
      const it = await chat.write(me, other, '前')
      await chat.write(other, me, '返事')
      await chat.clear(other, me)
      expect([await contents(other, me), await contents(me, other)]).toEqual([[], ['前', '返事']])
      expect([(await chat.listOf(other)).conversations, (await chat.unreadOf(other)).count]).toEqual([[], 0])
      expect(outcomeOf(await chat.react(other, it.id))).toBe('not_found')
      await chat.write(me, other, '後', { reply_to: it.id })
      const { messages } = await chat.messagesOf(other, me)
      expect(messages.map(contentOf)).toEqual(['後'])
      expect(messages[0]?.body).toMatchObject({ reply_to: { excerpt: null } })
    })

    test('each person has one reaction to a message, which both see', async () => {
      const it = await chat.write(me, other)
      await chat.react(other, it.id, 'heart')
      await chat.react(me, it.id, 'yes')
      await chat.react(other, it.id, 'laugh')
      const [seen] = (await chat.messagesOf(me, other)).messages
      const both = [
        { user_id: me.id, reaction: 'yes' },
        { user_id: other.id, reaction: 'laugh' },
      ].toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))
      expect(seen?.body).toMatchObject({ reactions: both })
      const { change } = (await chat.unreact(other, it.id)).json()
      expect((await chat.unreact(other, it.id)).json().change).toBe(change)
      expect(errorOf(await chat.react(me, it.id, 'fire')).code).toBe('invalid')
    })

    test('pages have every message once: newest, before, after and around', async () => {
      for (let n = 1; n <= 120; n++) await chat.write(n % 2 ? me : other, n % 2 ? other : me, `${n}`)
      const numbers = (from: number, to: number) =>
        Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`)
      const page = async (query: string) => {
        const { messages, has_before, has_after } = await chat.messagesOf(me, other, query)
        return { contents: messages.map(contentOf), has_before, has_after }
      }
      const [some, none] = [
        { has_before: true, has_after: true },
        { has_before: false, has_after: false },
      ]
      expect(await page('')).toEqual({ contents: numbers(71, 120), ...some, has_after: false })
      expect(await page('?before=71')).toEqual({ contents: numbers(21, 70), ...some })
      expect(await page('?before=21')).toEqual({ contents: numbers(1, 20), ...some, has_before: false })
      expect(await page('?after=0')).toEqual({ contents: numbers(1, 50), ...some, has_before: false })
      expect(await page('?after=70')).toEqual({ contents: numbers(71, 120), ...some, has_after: false })
      expect(await page('?around=60')).toEqual({ contents: numbers(36, 85), ...some })
      expect(await page('?around=1')).toEqual({ contents: numbers(1, 26), ...some, has_before: false })
      expect(await page('?after=120')).toEqual({ ...none, contents: [], has_before: true })
    })

    test('changes after a number are complete, also over several pages', async () => {
      const sent = []
      for (let n = 1; n <= 210; n++) sent.push(await chat.write(me, other, `${n}`))
      await chat.hide(other, defined(sent[4]?.id))
      await chat.unsend(me, defined(sent[5]?.id))
      const seen = new Map<string, string>()
      let next = { after: 0, deleted_after: 0 }
      let pages = 0
      for (let more = true; more; pages++) {
        const it = await chat.changesOf(other, me, next.after, next.deleted_after)
        for (const message of it.messages) seen.set(message.id, contentOf(message))
        for (const id of it.deleted) seen.delete(id)
        ;({ next, has_more: more } = it)
      }
      expect(pages).toBe(2)
      const expected = sent.flatMap((it, i) => (i === 4 ? [] : [i === 5 ? 'unsent' : contentOf(it)]))
      const state = await chat.stateOf(other, me)
      expect([...seen.values()].toSorted()).toEqual(expected.toSorted())
      expect(next).toEqual({ after: state.last_change, deleted_after: state.last_deletion })
    })
  })
})
