// Limits of live connections, each tested over a real socket.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  conversationChannel,
  personChannel,
  postChannel,
  TYPING,
  TYPING_REFUSED_WITHIN,
} from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { openOwnRealtime } from './adapters/realtime/server.ts'
import { ownApp } from './env/realtime.ts'
import { closeCode, openGranted } from './testing/clients/echo.ts'
import { type ManualClock, manualClock } from './testing/manual-clock.ts'
import { openRawSocket, type RawSocket } from './testing/clients/raw-socket.ts'
import { openWorld, type World } from './testing/world.ts'

const SECOND = 1000
const open: { close(): void }[] = []
afterEach(() => {
  for (const it of open.splice(0)) it.close()
})

async function connect(world: World): Promise<RawSocket> {
  const it = await openRawSocket(world)
  if (typeof it === 'number') throw new Error(`refused with ${it}`)
  open.push(it.ws)
  return it
}

const framesOf = (socket: RawSocket, event: string) => socket.frames.filter((it) => it.event === event)
const errors = (socket: RawSocket) => framesOf(socket, 'pusher:error').map((it) => it.data)
const joined = (socket: RawSocket) => framesOf(socket, 'pusher_internal:subscription_succeeded').length

describe('limits of one connection and one person', () => {
  let world: World
  let manual: ManualClock
  beforeAll(async () => {
    manual = manualClock()
    const { clock, every } = manual
    world = await openWorld({ listen: true, parts: { clock, every } })
  })
  afterAll(() => world.close())

  /** A person with pusher-js, authorized for every channel. */
  async function person(userId: string) {
    const account = { userId, sessionId: `session of ${userId}`, name: 'x' }
    const it = await openGranted(world, account, manual.clock)
    open.push(it)
    return it
  }

  test('a connection subscribes to a hundred channels; one more is refused, and the others continue', async () => {
    const me = await person(newId())
    const names = Array.from({ length: 100 }, () => postChannel(newId()))
    expect(new Set(await Promise.all(names.map((it) => me.join(it))))).toEqual(new Set(['joined']))
    const more = me.pusher.subscribe(postChannel(newId()))
    const error = await new Promise((resolve) => more.bind('pusher:subscription_error', resolve))
    expect(error).toEqual({ type: 'LimitReached', error: 'Too many channels', status: 429 })
    me.pusher.unsubscribe(defined(names[0]))
    expect(await me.join(postChannel(newId()))).toBe('joined')
  })

  test('a person has twenty connections; one more is closed permanently', async () => {
    const me = newId()
    const all = []
    for (let i = 0; i < 20; i++) all.push(await person(me))
    expect(await Promise.all(all.map((it) => it.join(personChannel(me))))).toEqual(Array(20).fill('joined'))
    const next = await person(me)
    const code = closeCode(next)
    void next.join(personChannel(me))
    expect(await code).toEqual({ code: 4004, message: 'Too many connections' })
    await next.waitForState('disconnected')
    all[0]?.close()
    await expect.poll(() => listeners(me)).toBe(19)
    const last = await person(me)
    expect(await last.join(personChannel(me))).toBe('joined')
  })
  const listeners = (userId: string) =>
    world.deps.realtime.sockets?.connections().filter((it) => it.userId === userId).length

  test('a client that sends too fast is closed, and may reconnect later', async () => {
    const [socket, me] = [await connect(world), newId()]
    socket.join(personChannel(me), me)
    // 130 frames are allowed at once; the subscription was one of them.
    for (let i = 0; i < 129; i++) socket.send({ event: 'pusher:ping', data: {} })
    await expect.poll(() => framesOf(socket, 'pusher:pong').length).toBe(129)
    expect(errors(socket)).toEqual([])
    for (let i = 0; i < 130; i++) socket.send({ event: 'pusher:ping', data: {} })
    expect(await socket.closed).toEqual({ code: 4101, message: 'Too many messages' })
    expect(errors(socket)).toEqual([{ code: 4101, message: 'Too many messages' }])
  })

  test('twenty frames a second are always accepted', async () => {
    const [socket, me] = [await connect(world), newId()]
    socket.join(personChannel(me), me)
    for (let second = 0; second < 12; second++) {
      for (let i = 0; i < 20; i++) socket.send({ event: 'pusher:ping', data: {} })
      await expect.poll(() => framesOf(socket, 'pusher:pong').length).toBe(20 * (second + 1))
      await manual.advance(SECOND)
    }
    expect(errors(socket)).toEqual([])
  })

  test('typing is forwarded once in two seconds on a channel, and the connection stays open', async () => {
    const [socket, me, channel] = [await connect(world), newId(), conversationChannel(newId())]
    const other = await connect(world)
    other.join(channel, newId())
    socket.join(channel, me)
    await expect.poll(() => [joined(socket), joined(other)]).toEqual([1, 1])
    for (let i = 0; i < 3; i++) socket.send({ event: TYPING, channel, data: {} })
    await socket.read()
    const refused = { code: 4301, message: 'Client events come too fast' }
    expect(errors(socket)).toEqual([refused, refused])
    await expect.poll(() => framesOf(other, TYPING).length).toBe(1)
    await manual.advance(TYPING_REFUSED_WITHIN)
    socket.send({ event: TYPING, channel, data: {} })
    await expect.poll(() => framesOf(other, TYPING).length).toBe(2)
  })

  test('a connection types on five channels at once, and on one more each second', async () => {
    const [socket, me] = [await connect(world), newId()]
    const channels = Array.from({ length: 7 }, () => conversationChannel(newId()))
    for (const it of channels) socket.join(it, me)
    await expect.poll(() => joined(socket)).toBe(7)
    for (const channel of channels) socket.send({ event: TYPING, channel, data: {} })
    await socket.read()
    expect(errors(socket).length).toBe(2)
    await manual.advance(SECOND)
    for (const channel of channels.slice(5)) socket.send({ event: TYPING, channel, data: {} })
    await socket.read()
    expect(errors(socket).length).toBe(3)
  })

  test('a frame has at most 16 KiB; an invalid frame is refused, and the connection stays open', async () => {
    const socket = await connect(world)
    socket.ws.send('x'.repeat(16 * 1024))
    await expect.poll(() => errors(socket)).toEqual([{ code: 4301, message: 'Invalid message' }])
    socket.ws.send('x'.repeat(16 * 1024 + 1))
    expect((await socket.closed).code).toBe(1009)
  })

  test('a silent connection is pinged after two minutes, and closed without a reply', async () => {
    const [silent, answering] = [await connect(world), await connect(world)]
    for (const it of [silent, answering]) {
      const me = newId()
      it.join(personChannel(me), me)
      await expect.poll(() => joined(it)).toBe(1)
    }
    await manual.advance(119 * SECOND)
    await answering.read()
    expect(framesOf(answering, 'pusher:ping')).toEqual([])
    await manual.advance(2 * SECOND)
    await manual.advance(SECOND)
    await expect.poll(() => framesOf(answering, 'pusher:ping').length).toBe(1)
    answering.send({ event: 'pusher:pong', data: {} })
    await answering.read()
    await manual.advance(30 * SECOND)
    expect(await silent.closed).toEqual({ code: 4201, message: 'Pong reply not received' })
    await answering.read()
    expect([framesOf(silent, 'pusher:ping').length, errors(answering)]).toEqual([1, []])
  })

  test('a connection without a channel is closed after half a minute', async () => {
    const socket = await connect(world)
    await manual.advance(29 * SECOND)
    expect(socket.ws.readyState).toBe(socket.ws.OPEN)
    await manual.advance(2 * SECOND)
    expect(await socket.closed).toEqual({ code: 4009, message: 'Joined no channel' })
  })

  test('a client that does not read is cut when a mebibyte is queued', async () => {
    const [socket, me] = [await connect(world), newId()]
    socket.join(personChannel(me), me)
    await expect.poll(() => joined(socket)).toBe(1)
    socket.ws.pause()
    const message = { channels: [personChannel(me)], event: 'x', data: 'x'.repeat(64 * 1024) }
    // Network buffers take some bytes before any are queued here.
    for (let i = 0; i < 400 && listeners(me) === 1; i++) {
      world.deps.realtime.sockets?.publishRaw([message])
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(() => listeners(me)).toBe(0)
  })
})

test('the unauthorized connections of a network and all connections of a server are limited', async () => {
  const world = await openWorld({
    listen: true,
    parts: {
      realtime: (secrets) =>
        openOwnRealtime({
          app: ownApp({}, secrets),
          clock: Date.now,
          limits: { unauthorized: 2, sockets: 3 },
        }),
    },
  })
  const [one, two] = [await connect(world), await connect(world)]
  expect(await openRawSocket(world)).toBe(429)
  for (const it of [one, two]) it.join(personChannel(newId()), newId())
  await expect.poll(() => joined(one) + joined(two)).toBe(2)
  await connect(world)
  const over = await connect(world)
  expect(await over.closed).toEqual({ code: 4100, message: 'Over capacity' })
  await world.close()
})
