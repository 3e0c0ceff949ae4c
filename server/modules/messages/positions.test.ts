// Positions up to which people have received and read, and what live messages give away.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { conversationChannel, personChannel } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { chatIn } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { recordingRealtime } from '#server/testing/recording-realtime.ts'
import { openWorld, type World } from '#server/testing/world.ts'

const realtime = recordingRealtime()
let world: World
let me: Member
let other: Member
beforeAll(async () => {
  world = await openWorld({ parts: { realtime } })
  return () => world.close()
})
const chat = chatIn(() => world)
beforeEach(async () => {
  ;[me, other] = [await signUp(world), await signUp(world)]
  await chat.follow(other, me)
  realtime.published.length = 0
})
/** Events and their data on a channel since the last call. */
const heardOn = (channel: string) => {
  const heard = realtime.published.filter((it) => it.channel === channel)
  return heard.map(({ event, data }) => [event, data])
}
const marksOf = async (as: Member, to: Member) => (await chat.stateOf(as, to)).marks

test('the sender sees how far the other person has received and read', async () => {
  for (let n = 1; n <= 3; n++) await chat.write(me, other)
  expect(await marksOf(me, other)).toEqual({ delivered_seq: 0, read_seq: 0 })
  await chat.receive(other, me, 2)
  expect(await marksOf(me, other)).toEqual({ delivered_seq: 2, read_seq: 0 })
  const { unread, read_seq: own } = await chat.read(other, me, 2)
  expect([unread, own, await marksOf(me, other)]).toEqual([1, 2, { delivered_seq: 2, read_seq: 2 }])
  await chat.read(other, me, 3)
  expect(await marksOf(me, other)).toEqual({ delivered_seq: 3, read_seq: 3 })
})

test('a position goes neither back nor beyond the newest message', async () => {
  for (let n = 1; n <= 3; n++) await chat.write(me, other)
  await chat.read(other, me, 1)
  await chat.receive(other, me, 2)
  expect(await marksOf(me, other)).toEqual({ delivered_seq: 2, read_seq: 1 })
  await chat.read(other, me, 900)
  await chat.read(other, me, 1)
  await chat.receive(other, me, 2)
  expect(await marksOf(me, other)).toEqual({ delivered_seq: 3, read_seq: 3 })
  await chat.write(me, other)
  expect(await chat.stateOf(other, me)).toMatchObject({ read_seq: 3, unread: 1 })
})

test('concurrent readings leave the highest position, and the count that belongs to it', async () => {
  for (let n = 1; n <= 20; n++) await chat.write(me, other)
  const readings = Array.from({ length: 19 }, (_, i) => chat.read(other, me, ((i * 7) % 19) + 1))
  await Promise.all(readings)
  expect(await chat.stateOf(other, me)).toMatchObject({ read_seq: 19, unread: 1 })
})

describe('where one of both sends no read marks', () => {
  test.each(['the reader', 'the sender'])(
    '%s: neither sees marks, and reading changes nothing for others',
    async (who) => {
      await chat.write(me, other)
      await chat.setPrivacy(who === 'the reader' ? other : me, { sends_read_marks: false })
      const before = await chat.stateOf(me, other)
      expect(before.marks).toBeNull()
      realtime.published.length = 0
      await chat.receive(other, me, 1)
      await chat.read(other, me, 1)
      expect(await chat.stateOf(me, other)).toEqual(before)
      expect([
        heardOn(personChannel(me.id)),
        heardOn(conversationChannel(defined(before.conversation_id))),
      ]).toEqual([[], []])
      expect(heardOn(personChannel(other.id))).toHaveLength(2)
      expect(await chat.stateOf(other, me)).toMatchObject({ read_seq: 1, unread: 0, marks: null })
    },
  )

  test('the setting ends the channels of the person who changed it', async () => {
    realtime.ended.length = 0
    await chat.setPrivacy(other, { message_from: 'nobody' })
    expect(realtime.ended).toEqual([])
    await chat.setPrivacy(other, { sends_read_marks: false })
    expect(realtime.ended).toEqual([{ is: 'permissions', userIds: [other.id] }])
  })

  test('marks are back with the setting', async () => {
    await chat.write(me, other)
    await chat.setPrivacy(other, { sends_read_marks: false })
    await chat.read(other, me, 1)
    await chat.setPrivacy(other, { sends_read_marks: true })
    expect(await marksOf(me, other)).toEqual({ delivered_seq: 1, read_seq: 1 })
  })
})

test('reading, hiding and declining a request change nothing that its sender sees', async () => {
  const stranger = await signUp(world)
  const { id } = await chat.write(stranger, me)
  const before = await chat.stateOf(stranger, me)
  realtime.published.length = 0
  await chat.receive(me, stranger, 1)
  await chat.read(me, stranger, 1)
  await chat.answer(me, stranger, 'decline')
  await chat.hide(me, id)
  expect(await chat.stateOf(stranger, me)).toEqual(before)
  expect(heardOn(personChannel(stranger.id))).toEqual([])
  expect(heardOn(conversationChannel(defined(before.conversation_id)))).toEqual([])
})

test('a message, a reaction and an unsent message send ids and numbers to both people', async () => {
  const message = await chat.write(me, other, 'ひみつ')
  const { conversation_id: conversation } = await chat.stateOf(me, other)
  const data = { conversation_id: conversation, seq: 1, change: 1 }
  expect(heardOn(personChannel(me.id))).toEqual([['conversation.changed', { ...data, user_id: other.id }]])
  expect(heardOn(personChannel(other.id))).toEqual([
    ['conversation.changed', { ...data, user_id: me.id }],
    ['messages.unread', { count: 1 }],
  ])
  expect(heardOn(conversationChannel(defined(conversation)))).toEqual([['messages.changed', data]])
  await chat.react(other, message.id)
  await chat.unsend(me, message.id)
  const changes = realtime.published.filter((it) => it.event === 'messages.changed').map((it) => it.data)
  expect(changes).toEqual([data, { ...data, change: 2 }, { ...data, change: 3 }])
  expect(realtime.published.at(-1)).toMatchObject({ event: 'messages.unread', data: { count: 0 } })
  expect(JSON.stringify(realtime.published)).not.toContain('ひみつ')
})

test('a page does not get the event of its own message', async () => {
  await chat.write(me, other)
  const { published } = realtime
  expect(published.every((it) => it.except === undefined)).toBe(true)
  published.length = 0
  const body = { id: newId(), content: 'こんにちは' }
  await call(world, me, 'POST', `/conversations/${other.id}/messages`, body, { 'x-socket-id': '12.34' })
  expect(published.map((it) => [it.event, it.except])).toEqual([
    ['conversation.changed', '12.34'],
    ['conversation.changed', undefined],
    ['messages.changed', '12.34'],
    ['messages.unread', undefined],
  ])
})
