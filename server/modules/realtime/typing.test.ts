// Who may report typing in a conversation, and what the server refuses of it.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { conversationChannel, TYPING } from '#contract/realtime/channels.ts'
import { defined } from '#contract/testing/defined.ts'
import { openRawSocket, type RawSocket } from '#server/testing/clients/raw-socket.ts'
import { chatIn, outcomeOf } from '#server/testing/messages/chat.ts'
import { call, type Member, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'

let world: World
const open: RawSocket[] = []
beforeAll(async () => {
  world = await openWorld({ listen: true })
})
afterEach(() => {
  for (const it of open.splice(0)) it.ws.terminate()
})
afterAll(() => world.close())
const chat = chatIn(() => world)

async function connect(): Promise<RawSocket> {
  const it = await openRawSocket(world)
  if (typeof it === 'number') throw new Error(`refused with ${it}`)
  open.push(it)
  return it
}

/** Subscribes with the grant of the API. @returns the refusal of the grant, or 200 */
async function join(socket: RawSocket, as: Member, channel: string): Promise<string | number> {
  const form = new URLSearchParams({ socket_id: socket.id, channel_name: channel }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await call(world, as, 'POST', '/broadcasting/auth', form, type)
  if (reply.statusCode !== 200) return outcomeOf(reply)
  socket.send({ event: 'pusher:subscribe', data: { channel, ...reply.json<{ auth: string }>() } })
  await expect.poll(() => framesOf(socket, 'pusher_internal:subscription_succeeded').length).toBe(1)
  return 200
}

const framesOf = (socket: RawSocket, event: string) => socket.frames.filter((it) => it.event === event)
const refusalsOf = (socket: RawSocket) =>
  framesOf(socket, 'pusher:error').map((it) => (it.data as { code: number; message: string }).message)

/** Two people in an open conversation. */
async function openConversation(): Promise<{ me: Member; other: Member; channel: string }> {
  const [me, other] = [await signUp(world), await signUp(world)]
  await chat.write(me, other)
  await chat.write(other, me)
  const { conversation_id: id } = await chat.stateOf(me, other)
  return { me, other, channel: conversationChannel(defined(id)) }
}

/** What the frames of a client are refused with; the other person must not receive any of them. */
async function refusalOf(frame: (channel: string) => object): Promise<string[]> {
  const { me, other, channel } = await openConversation()
  const [mine, theirs] = [await connect(), await connect()]
  await join(mine, me, channel)
  await join(theirs, other, channel)
  mine.send(frame(channel))
  await mine.read()
  await theirs.read()
  expect(theirs.frames.filter((it) => it.event.startsWith('client-'))).toEqual([])
  return refusalsOf(mine)
}

test('typing reaches the other person alone, without data, with the id of who types', async () => {
  const { me, other, channel } = await openConversation()
  const [mine, theirs] = [await connect(), await connect()]
  expect([await join(mine, me, channel), await join(theirs, other, channel)]).toEqual([200, 200])
  // The id is the server's: one in the frame is refused.
  mine.send({ event: TYPING, channel, data: {} })
  await expect
    .poll(() => framesOf(theirs, TYPING))
    .toEqual([{ event: TYPING, channel, data: '{}', user_id: me.id }])
  expect([framesOf(mine, TYPING), refusalsOf(mine)]).toEqual([[], []])
})

describe('a client event is refused, and reaches no other page', () => {
  test.each<[string, (channel: string) => object]>([
    ['another name', (channel) => ({ event: 'client-said', channel, data: {} })],
    ['a name of the server', (channel) => ({ event: 'messages.changed', channel, data: {} })],
    ['a text', (channel) => ({ event: TYPING, channel, data: { text: 'ひみつ' } })],
    ['a text as JSON text', (channel) => ({ event: TYPING, channel, data: '{"text":"ひみつ"}' })],
    ['a list', (channel) => ({ event: TYPING, channel, data: ['ひみつ'] })],
    ['a foreign id', (channel) => ({ event: TYPING, channel, data: {}, user_id: 'x' })],
    ['15 KiB beside it', (channel) => ({ event: TYPING, channel, data: {}, more: 'x'.repeat(15_000) })],
    ['15 KiB in it', (channel) => ({ event: TYPING, channel, data: { more: 'x'.repeat(15_000) } })],
  ])('with %s', async (_, frame) => {
    expect(await refusalOf(frame)).toEqual(['Invalid message'])
  })

  test('on a channel that the connection has not joined', async () => {
    const { other, channel } = await openConversation()
    const [outside, theirs] = [await connect(), await connect()]
    const outsider = await signUp(world)
    expect(await join(outside, outsider, channel)).toBe('forbidden')
    await join(theirs, other, channel)
    outside.send({ event: TYPING, channel, data: {} })
    await outside.read()
    await theirs.read()
    expect(refusalsOf(outside)).toEqual(['Client event rejected'])
    expect(framesOf(theirs, TYPING)).toEqual([])
  })

  test('on a channel that the connection has left', async () => {
    const { me, other, channel } = await openConversation()
    const [mine, theirs] = [await connect(), await connect()]
    await join(mine, me, channel)
    await join(theirs, other, channel)
    mine.send({ event: 'pusher:unsubscribe', data: { channel } })
    mine.send({ event: TYPING, channel, data: {} })
    await expect.poll(() => refusalsOf(mine)).toEqual(['Client event rejected'])
    await theirs.read()
    expect(framesOf(theirs, TYPING)).toEqual([])
  })
})

describe('the channel on which typing is sent is closed', () => {
  test('to both before a message request is accepted, and after it is declined', async () => {
    const [me, stranger] = [await signUp(world), await signUp(world)]
    await chat.write(stranger, me)
    const channel = conversationChannel(defined((await chat.stateOf(me, stranger)).conversation_id))
    const both = async () => [
      await join(await connect(), me, channel),
      await join(await connect(), stranger, channel),
    ]
    expect(await both()).toEqual(['forbidden', 'forbidden'])
    await chat.answer(me, stranger, 'decline')
    expect(await both()).toEqual(['forbidden', 'forbidden'])
  })

  test.each<[string, (me: Member, other: Member) => Promise<unknown>]>([
    ['a block by the one who types', (me, other) => call(world, me, 'PUT', `/blocks/${other.id}`)],
    ['a block by the other one', (me, other) => call(world, other, 'PUT', `/blocks/${me.id}`)],
    ['own read marks turned off', (me) => chat.setPrivacy(me, { sends_read_marks: false })],
  ])('by %s, at once, on connections that have joined it', async (_, end) => {
    const { me, other, channel } = await openConversation()
    const mine = await connect()
    await join(mine, me, channel)
    await end(me, other)
    expect((await mine.closed).code).toBe(4200)
    expect([await join(await connect(), me, channel), await join(await connect(), other, channel)]).toEqual([
      'forbidden',
      'forbidden',
    ])
  })
})
