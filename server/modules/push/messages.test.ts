// Pushes of messages: who gets one, what it shows, and how many there are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { pushPayload } from '#contract/notifications/push-payload.ts'
import { defined } from '#contract/testing/defined.ts'
import { addBlock } from '#server/store/people/blocks.ts'
import { findUser } from '#server/store/people/people.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import { deleteDue, leave } from '#server/testing/people/leaving.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { publish } from '#server/testing/published.ts'
import { type PushService, pushTo, startPushService } from '#server/testing/clients/push-service.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'
import { pushMessage, pushMessageToDevice } from './send-messages.ts'

let service: PushService
beforeAll(async () => {
  service = await startPushService()
})
afterAll(() => service.close())

for (const { kind, available } of databases)
  describe.skipIf(!available)(`on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld({
        database: kind,
        settings: { publicUrl: 'https://todoke.example' },
        parts: { push: pushTo(service) },
      })
    })
    afterAll(() => world.close())
    const chat = chatIn(() => world)
    type Named = Member & { readonly name: string }
    const named = async (it: Member): Promise<Named> => ({
      ...it,
      name: (await findUser(world.deps.db, it.id))?.name ?? '',
    })

    /** Two people whose conversation is open; the second one's device receives pushes. */
    async function twoPeople(): Promise<{ from: Named; to: Member }> {
      const [from, to] = [await signUp(world), await signUp(world)]
      await chat.follow(to, from)
      await call(world, to, 'PUT', '/push/subscription', service.subscribe())
      return { from: await named(from), to }
    }
    /** Runs the waiting jobs. @returns the payloads that arrived */
    async function deliver() {
      const before = service.arrived.length
      for (const it of await takeJobs(world, 'message.push')) await pushMessage(world.deps, it.messageId)
      for (const it of await takeJobs(world, 'message.device')) await pushMessageToDevice(world.deps, it)
      return service.arrived.slice(before).map((it) => ({
        ...it,
        payload: v.parse(pushPayload, JSON.parse(it.text)),
      }))
    }
    const shown = async () =>
      (await deliver()).map(({ payload: { notification: it } }) => `${it.title}: ${it.body}`)

    test('a message is pushed with its sender’s name, its text and the badge, and leads to the conversation', async () => {
      const { from, to } = await twoPeople()
      const message = await chat.write(from, to, 'こんばんは。\n元気ですか')
      const [push, none] = await deliver()
      expect(none).toBeUndefined()
      expect(push).toMatchObject({ urgency: 'high', topic: expect.stringMatching(/^[\w-]{32}$/) })
      expect(push?.payload).toEqual({
        web_push: 8030,
        mutable: true,
        notification: {
          title: from.name,
          body: 'こんばんは。 元気ですか',
          lang: 'ja',
          dir: 'ltr',
          tag: `message-${from.id}`,
          navigate: `https://todoke.example/chat-messages/${from.id}`,
          data: expect.objectContaining({
            setting_cd: 'message',
            idol_id: from.id,
            user_id: to.id,
            name: from.name,
            seq: message.seq,
          }),
        },
        app_badge: 1,
      })
      expect(await deliver()).toEqual([])
    })

    test('a push starts some seconds after its message, and its job names no person', async () => {
      const { from, to } = await twoPeople()
      const { id } = await chat.write(from, to)
      const { rows } = await world.database.executeSql(
        `select data, round(extract(epoch from start_after - created_on))::int as delay from pgboss.job
         where name = 'message.push' and state = 'created'`,
      )
      expect(rows).toEqual([{ data: { messageId: id }, delay: 3 }])
      await deliver()
    })

    test('ten messages at once are one push with the newest text and their number', async () => {
      const { from, to } = await twoPeople()
      for (let n = 1; n <= 10; n++) await chat.write(from, to, `${n}通目`)
      expect(await shown()).toEqual([`${from.name}（10件）: 10通目`])
      await chat.write(from, to, 'もう1通')
      expect(await shown()).toEqual([`${from.name}（11件）: もう1通`])
    })

    test('without text on the screen, by the privacy setting, the push has no text', async () => {
      const { from, to } = await twoPeople()
      await chat.setPrivacy(to, { shows_message_text: false })
      await chat.write(from, to, '人に見られたくない話')
      const [push] = await deliver()
      expect(push?.payload.notification).toMatchObject({ title: from.name, body: 'メッセージが届きました' })
      expect(push?.text).not.toContain('人に見られたくない話')
    })

    test('each of two people has another topic, and neither contains the conversation’s id', async () => {
      const { from, to } = await twoPeople()
      await call(world, from, 'PUT', '/push/subscription', service.subscribe())
      await chat.write(from, to)
      await chat.write(to, from)
      const topics = (await deliver()).map((it) => it.topic)
      expect(new Set(topics).size).toBe(2)
    })

    describe('no push is sent', () => {
      const cases: Record<string, (it: { from: Member; to: Member }) => Promise<unknown>> = {
        'when the conversation was read meanwhile': ({ from, to }) => chat.read(to, from, 1),
        'when the message was unsent meanwhile': async ({ from, to }) => {
          const [message] = (await chat.messagesOf(to, from)).messages
          return chat.unsend(from, defined(message?.id))
        },
        'when the recipient deleted it meanwhile': async ({ from, to }) => {
          const [message] = (await chat.messagesOf(to, from)).messages
          return chat.hide(to, defined(message?.id))
        },
        'when the conversation was muted meanwhile': ({ from, to }) => chat.set(to, from, { muted: true }),
        'when the recipient blocked the sender': ({ from, to }) =>
          addBlock(world.deps.db, to.id, from.id, world.clock.now),
        'when the sender blocked the recipient': ({ from, to }) =>
          addBlock(world.deps.db, from.id, to.id, world.clock.now),
        'when the recipient muted the sender': ({ from, to }) => call(world, to, 'PUT', `/mutes/${from.id}`),
        'when the sender is suspended': ({ from }) =>
          world.database.executeSql('update users set suspended_at = now() where id = $1', [from.id]),
        'when the recipient is suspended': ({ to }) =>
          world.database.executeSql('update users set suspended_at = now() where id = $1', [to.id]),
        'when the sender is leaving': ({ from }) => leave(world, from),
        'when push is switched off meanwhile': ({ to }) =>
          call(world, to, 'PATCH', '/settings/notification/message', { push: false }),
        'when the device is signed out': ({ to }) => call(world, to, 'DELETE', '/push/subscription'),
      }
      test.each(Object.entries(cases))('%s', async (_, change) => {
        const people = await twoPeople()
        await chat.write(people.from, people.to)
        await change(people)
        expect(await shown()).toEqual([])
      })
      test.each(Object.entries(cases))('%s, after the jobs of the devices were added', async (_, change) => {
        const people = await twoPeople()
        await chat.write(people.from, people.to)
        for (const it of await takeJobs(world, 'message.push')) await pushMessage(world.deps, it.messageId)
        await change(people)
        expect(await shown()).toEqual([])
      })

      test('of a message request, nor once it is declined, nor when it is accepted', async () => {
        const [from, to] = [await named(await signUp(world)), await signUp(world)]
        await call(world, to, 'PUT', '/push/subscription', service.subscribe())
        await chat.write(from, to, 'はじめまして')
        expect(await takeJobs(world, 'message.push')).toEqual([])
        await chat.answer(to, from, 'decline')
        await chat.write(from, to, 'もしもし')
        await chat.answer(to, from, 'accept')
        expect(await takeJobs(world, 'message.push')).toEqual([])
        await chat.write(from, to, 'ありがとう')
        expect(await shown()).toEqual([`${from.name}（3件）: ありがとう`])
      })

      test('of a muted conversation, and without a device no job is added', async () => {
        const { from, to } = await twoPeople()
        await chat.write(from, to)
        await deliver()
        await chat.set(to, from, { muted: true })
        await chat.write(from, to)
        await chat.write(to, from)
        expect(await takeJobs(world, 'message.push')).toEqual([])
      })

      test('to a device that was refused once, when a later message was pushed meanwhile', async () => {
        const { from, to } = await twoPeople()
        await chat.write(from, to, '1')
        service.answers.push({ status: 503 })
        expect(await shown()).toEqual([])
        const [retry] = await takeJobs(world, 'message.device')
        expect(retry).toMatchObject({ seq: 1, tries: 1 })
        await chat.write(from, to, '2')
        expect(await shown()).toEqual([`${from.name}（2件）: 2`])
        const before = service.arrived.length
        if (retry) await pushMessageToDevice(world.deps, retry)
        expect(service.arrived.length).toBe(before)
      })
    })

    test('a retry sends the text of its moment, and a second run of the same job sends nothing', async () => {
      const { from, to } = await twoPeople()
      const { id } = await chat.write(from, to, 'やあ')
      await pushMessage(world.deps, id)
      await pushMessage(world.deps, id)
      expect(await shown()).toEqual([`${from.name}: やあ`])
    })

    test('the badge of each push is the number of unread notifications and messages', async () => {
      const { from, to } = await twoPeople()
      const post = await publish(world, to, { content: '海' })
      await call(world, from, 'PUT', `/posts/${post}/like`)
      await chat.write(from, to)
      await chat.write(from, to)
      expect((await deliver()).at(-1)?.payload.app_badge).toBe(3)
      const count = async () => (await call(world, to, 'GET', '/notifications/badge')).json()
      expect(await count()).toEqual({ count: 3 })
      await chat.read(to, from, 2)
      expect(await count()).toEqual({ count: 1 })
    })

    test('a message is no row of the list of notifications', async () => {
      const { from, to } = await twoPeople()
      await chat.write(from, to)
      await deliver()
      expect((await call(world, to, 'GET', '/notifications')).json()).toMatchObject({
        notifications: [],
        unread: 0,
      })
    })

    test('no push is sent about a sender whose account is deleted', async () => {
      const { from, to } = await twoPeople()
      await chat.write(from, to)
      await leave(world, from)
      await deleteDue(world)
      expect(await shown()).toEqual([])
    })
  })
