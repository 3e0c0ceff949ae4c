// Broadcasts: who may send and stop one, whom it reaches, and what its creator sees.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { noLimits } from '#server/http/limits.ts'
import { conversationNotice } from '#server/services/notifications/message-notice.ts'
import { endMembership } from '#server/store/plans/plans.ts'
import { broadcastsIn, planOf } from '#server/testing/messages/broadcasts.ts'
import { chatIn, contentOf, outcomeOf } from '#server/testing/messages/chat.ts'
import { pricedPost } from '#server/testing/payments/shop.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { admin } from '#server/testing/people/identity.ts'
import { call, errorOf, identify, type Member, signUp } from '#server/testing/people/members.ts'
import { recordLiveMessages } from '#server/testing/people/notified.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

const DAY = 24 * 3600_000

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('a broadcast', () => {
    let world: World
    let creator: Member
    let one: Member
    let two: Member
    let plan: string
    const live = recordLiveMessages()
    beforeAll(async () => {
      world = await openWorld({ database: kind, parts: { realtime: live.realtime } })
      return () => world.close()
    })
    const chat = chatIn(() => world)
    const broadcasts = broadcastsIn(() => world)
    beforeEach(async () => {
      creator = await identify(world, await signUp(world))
      ;[one, two] = [await signUp(world), await signUp(world)]
      plan = await planOf(world, creator, [one, two])
    })
    const readBy = async (as: Member) => (await chat.messagesOf(as, creator)).messages.map(contentOf)

    test('reaches each member in their own conversation, with unread count, live message and notices', async () => {
      await call(world, one, 'PATCH', '/settings/notification/message', { mail: true })
      const sent = await broadcasts.begin(creator, { plan_ids: [plan], content: '新曲です' })
      expect(sent).toMatchObject({ state: 'delivering', recipients: 2, delivered: 0, skipped: 0, read: 0 })
      await broadcasts.deliver()
      for (const fan of [one, two]) {
        expect(await readBy(fan)).toEqual(['新曲です'])
        expect(await chat.unreadOf(fan)).toEqual({ count: 1, requests: 0 })
        expect(live.to(fan).map((it) => it.event)).toEqual(['conversation.changed', 'messages.unread'])
        const [message] = (await chat.messagesOf(fan, creator)).messages
        expect((await conversationNotice(world.deps.db, defined(message?.id)))?.words.body).toBe('新曲です')
      }
      expect(await takeJobs(world, 'message.mail')).toHaveLength(1)
      expect(await broadcasts.listOf(creator)).toMatchObject([
        { id: sent.id, state: 'done', plans: [{ id: plan, name: '応援' }], recipients: 2, delivered: 2 },
      ])
    })

    test('does not fill the list of its creator, until someone answers', async () => {
      await chat.write(one, creator, '前の話')
      world.clock.now += 1000
      const before = await chat.listOf(creator)
      await broadcasts.begin(creator, { plan_ids: [plan] })
      await broadcasts.deliver()
      const shown = (await chat.listOf(creator)).conversations
      expect(shown.map((it) => [it.person.id, it.last_at])).toEqual(
        before.conversations.map((it) => [it.person.id, it.last_at]),
      )
      expect(live.to(creator).filter((it) => it.event === 'conversation.changed')).toHaveLength(1)
      await chat.write(two, creator, 'ありがとう')
      expect((await chat.listOf(creator)).conversations.map((it) => it.person.id)).toContain(two.id)
    })

    test('sent again with the same id is the same one; with anything else it is a conflict', async () => {
      const id = newId()
      const draft = { id, content: '一度だけ', plan_ids: [plan] }
      const all = await Promise.all(Array.from({ length: 5 }, () => broadcasts.send(creator, draft)))
      expect(new Set(all.map((it) => it.statusCode))).toEqual(new Set([200]))
      await broadcasts.deliver()
      expect(outcomeOf(await broadcasts.send(creator, draft))).toBe(200)
      await broadcasts.deliver()
      expect(await readBy(one)).toEqual(['一度だけ'])
      const other = await planOf(world, creator, [])
      const priced = await pricedPost(world, creator)
      for (const change of [{ content: 'ほか' }, { plan_ids: [other] }, { post_id: priced }])
        expect(outcomeOf(await broadcasts.send(creator, { ...draft, ...change }))).toBe('conflict')
      const rival = await identify(world, await signUp(world))
      const rivals = await planOf(world, rival, [])
      expect(outcomeOf(await broadcasts.send(rival, { ...draft, plan_ids: [rivals] }))).toBe('conflict')
    })

    test('is refused for plans of others, ended ones, and people without a plan', async () => {
      const stranger = await signUp(world)
      const ended = await planOf(world, creator, [one])
      await world.database.executeSql('update plans set ends_at = $2 where id = $1', [
        ended,
        new Date(world.clock.now),
      ])
      const refused = [
        await broadcasts.send(stranger, { plan_ids: [plan] }),
        await broadcasts.send(one, { plan_ids: [plan] }),
        await broadcasts.send(creator, { plan_ids: [plan, ended] }),
        await broadcasts.send(creator, { plan_ids: [newId()] }),
        await broadcasts.audience(stranger, [plan]),
        await broadcasts.audience(creator, [ended]),
      ]
      for (const it of refused) expect(errorOf(it).fields).toEqual({ plan_ids: 'unknown_plan' })
      const post_id = await pricedPost(world, creator)
      const own = await planOf(world, stranger, [])
      const foreign = await broadcasts.send(stranger, { plan_ids: [own], post_id })
      expect(errorOf(foreign).fields).toEqual({ post_id: 'unknown_post' })
      const empty = await broadcasts.send(creator, { plan_ids: [plan], content: ' ' })
      expect(errorOf(empty).fields).toEqual({ content: 'required' })
      const long = await broadcasts.send(creator, { plan_ids: [plan], content: 'あ'.repeat(2001) })
      expect(errorOf(long).fields).toEqual({ content: 'too_long' })
      expect(await broadcasts.listOf(stranger)).toEqual([])
    })

    test('is not found by other people, admins and visitors, who also cannot stop it', async () => {
      const { id } = await broadcasts.begin(creator, { plan_ids: [plan] })
      for (const other of [one, await signUp(world), await admin(world)]) {
        expect(outcomeOf(await broadcasts.stop(other, id))).toBe('not_found')
        expect(await broadcasts.listOf(other)).toEqual([])
      }
      const visitor = [
        await broadcasts.stop(null, id),
        await call(world, null, 'GET', '/broadcasts'),
        await broadcasts.send(null, { plan_ids: [plan] }),
      ]
      expect(visitor.map(outcomeOf)).toEqual(Array(3).fill('unauthenticated'))
      expect(outcomeOf(await broadcasts.stop(creator, newId()))).toBe('not_found')
      expect((await broadcasts.listOf(creator))[0]?.state).toBe('delivering')
    })

    const leaves: Record<string, (fan: Member) => Promise<unknown>> = {
      'left the plan': (fan) => endMembership(world.deps.db, plan, fan.id, world.clock.now),
      'blocked the creator': (fan) => call(world, fan, 'PUT', `/blocks/${creator.id}`),
      'was blocked by the creator': (fan) => call(world, creator, 'PUT', `/blocks/${fan.id}`),
      'is suspended': (fan) =>
        world.database.executeSql('update users set suspended_at = now() where id = $1', [fan.id]),
      'wants messages of no person': (fan) => chat.setPrivacy(fan, { message_from: 'nobody' }),
      'wants messages of members of own plans': (fan) =>
        chat.setPrivacy(fan, { message_from: 'plan_members' }),
    }
    test.each(Object.entries(leaves))('skips a recipient who %s since', async (_, leave) => {
      await broadcasts.begin(creator, { plan_ids: [plan] })
      world.clock.now += 1
      await leave(one)
      await broadcasts.deliver()
      expect((await broadcasts.listOf(creator))[0]).toMatchObject({ delivered: 1, skipped: 1, state: 'done' })
      const { rows } = await world.database.executeSql(
        'select 1 from conversation_members where user_id = $1',
        [one.id],
      )
      expect(rows).toEqual([])
    })

    test('reaches who wants messages of people they follow, and who accepted the conversation whatever their setting', async () => {
      await chat.setPrivacy(one, { message_from: 'following' })
      await chat.write(two, creator, '質問です')
      await chat.setPrivacy(two, { message_from: 'nobody' })
      await broadcasts.begin(creator, { plan_ids: [plan], content: 'みなさんへ' })
      await broadcasts.deliver()
      expect([await readBy(one), await readBy(two)]).toEqual([['みなさんへ'], ['質問です', 'みなさんへ']])
    })

    test('counts a member of two chosen plans once', async () => {
      const second = await planOf(world, creator, [one])
      expect((await broadcasts.audience(creator, [plan, second])).json()).toEqual({ recipients: 2 })
      await broadcasts.begin(creator, { plan_ids: [plan, second], content: '重ねて' })
      await broadcasts.deliver()
      expect(await readBy(one)).toEqual(['重ねて'])
    })

    test('has no content of a priced post for those who have not bought it', async () => {
      const post_id = await pricedPost(world, creator)
      await broadcasts.begin(creator, { plan_ids: [plan], content: '', post_id })
      await broadcasts.deliver()
      const reply = await call(world, one, 'GET', `/conversations/${creator.id}/messages`)
      expect(reply.json().messages[0].body.post).toMatchObject({
        is: 'preview',
        wants: 'purchase',
        price: 500,
      })
      expect(reply.body).not.toContain('有料の投稿です')
      expect((await broadcasts.listOf(creator))[0]?.post).toMatchObject({ is: 'full', id: post_id })
    })

    test('of a post alone stops when the post is deleted', async () => {
      const post_id = await pricedPost(world, creator)
      await broadcasts.begin(creator, { plan_ids: [plan], content: '', post_id })
      await call(world, creator, 'DELETE', `/posts/${post_id}`)
      await broadcasts.deliver()
      expect((await broadcasts.listOf(creator))[0]).toMatchObject({ state: 'stopped', delivered: 0 })
    })

    test('counts readers who send read marks, and none where the creator sends no read marks', async () => {
      await chat.setPrivacy(two, { sends_read_marks: false })
      await broadcasts.begin(creator, { plan_ids: [plan] })
      await broadcasts.deliver()
      for (const fan of [one, two]) await chat.read(fan, creator, 1)
      expect((await broadcasts.listOf(creator))[0]?.read).toBe(1)
      await chat.setPrivacy(creator, { sends_read_marks: false })
      expect((await broadcasts.listOf(creator))[0]?.read).toBeNull()
    })

    test('is no message request, and one that was declined gets it as a member', async () => {
      await chat.write(creator, one, '最初の連絡')
      await chat.answer(one, creator, 'decline')
      await broadcasts.begin(creator, { plan_ids: [plan], content: '会員の方へ' })
      await broadcasts.deliver()
      for (const fan of [one, two])
        expect(await chat.stateOf(fan, creator)).toMatchObject({ is_request: false })
      expect(await readBy(one)).toEqual(['最初の連絡', '会員の方へ'])
    })

    test('answers no message request of a recipient', async () => {
      const [asking, declined] = [await signUp(world), await signUp(world)]
      for (const it of [asking, declined]) await chat.write(it, creator, '読んでください')
      await chat.answer(creator, declined, 'decline')
      const own = await planOf(world, creator, [asking, declined])
      await broadcasts.begin(creator, { plan_ids: [own], content: '加入のお礼' })
      await broadcasts.deliver()
      for (const it of [asking, declined]) {
        expect(await chat.stateOf(creator, it)).toMatchObject({ is_request: true })
        expect(await readBy(it)).toEqual(['読んでください', '加入のお礼'])
      }
      // A member of a plan passes after a declined request.
      await chat.write(declined, creator, 'ありがとう')
      expect(await chat.stateOf(creator, declined)).toMatchObject({ is_request: false, unread: 1 })
    })

    test('that is stopped is delivered to no further person', async () => {
      const { id } = await broadcasts.begin(creator, { plan_ids: [plan] })
      expect((await broadcasts.stop(creator, id)).json()).toMatchObject({ state: 'stopped', delivered: 0 })
      expect(outcomeOf(await broadcasts.stop(creator, id))).toBe(200)
      await broadcasts.deliver()
      expect(await readBy(one)).toEqual([])
      const finished = await broadcasts.begin(creator, { plan_ids: [plan] })
      await broadcasts.deliver()
      expect((await broadcasts.stop(creator, finished.id)).json()).toMatchObject({
        state: 'done',
        delivered: 2,
      })
    })
  })
})

test('a creator sends as many broadcasts a day as the limit says, also at once', async () => {
  const world = await openWorld({
    settings: { limits: { ...noLimits, broadcasts: 2 } },
  })
  try {
    const broadcasts = broadcastsIn(() => world)
    const creator = await identify(world, await signUp(world))
    const plan_ids = [await planOf(world, creator, [])]
    const draft = { id: newId(), plan_ids }
    expect(outcomeOf(await broadcasts.send(creator, draft))).toBe(200)
    const replies = await Promise.all([1, 2, 3].map(() => broadcasts.send(creator, { plan_ids })))
    expect(replies.map(outcomeOf).toSorted()).toEqual([200, 'broadcast_limit', 'broadcast_limit'])
    expect(outcomeOf(await broadcasts.send(creator, draft))).toBe(200)
    world.clock.now += DAY
    expect(outcomeOf(await broadcasts.send(creator, { plan_ids }))).toBe(200)
  } finally {
    await world.close()
  }
})
