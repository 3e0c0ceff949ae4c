// Live messages between processes: two servers on one Redis, and servers with the Pusher library.
import Pusher from 'pusher'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { conversationChannel, personChannel, TYPING } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { openOwnRealtime } from './adapters/realtime/server.ts'
import { openServiceRealtime } from './adapters/realtime/service.ts'
import { openRedis } from './adapters/redis.ts'
import { openTopics } from './adapters/topics/topics.ts'
import { type Listener, openGranted } from './testing/clients/echo.ts'
import { type RedisServer, redisAvailable, startRedis } from './testing/redis.ts'
import { openWorld, type World } from './testing/world.ts'

const app = { id: 'todoke', key: 'key', secret: 'a secret of both' }
const open: Listener[] = []
afterEach(() => {
  for (const it of open.splice(0)) it.close()
})

/** Connects a person to one of the servers, with grants signed by the server's key. */
async function connectTo(world: World, userId: string, sessionId = newId()): Promise<Listener> {
  const it = await openGranted(world, { userId, sessionId, name: userId.slice(-4) }, Date.now)
  open.push(it)
  return it
}

const unread = (userId: string, count: number) =>
  ({ channel: personChannel(userId), event: 'notifications.changed', data: { unread: count } }) as const

describe.skipIf(!redisAvailable())('two servers on one Redis', () => {
  let redis: RedisServer
  let one: World
  let other: World
  const connectionStates: boolean[] = []
  async function server(): Promise<World> {
    const client = openRedis(redis.url)
    const topics = openTopics(redis.url, client)
    topics.onChange((isConnected) => void connectionStates.push(isConnected))
    const world = await openWorld({
      listen: true,
      parts: {
        clock: Date.now,
        realtime: openOwnRealtime({ app, clock: Date.now, shared: { redis: client, topics } }),
      },
    })
    return {
      ...world,
      async close() {
        await world.close()
        topics.close()
        client.disconnect()
      },
    }
  }
  beforeAll(async () => {
    redis = await startRedis()
    one = await server()
    other = await server()
  })
  afterAll(async () => {
    await one.close()
    await other.close()
    await redis.discard()
  })

  test('a message of one server reaches clients of the other, and so does the end of a session', async () => {
    const [me, sessionId] = [newId(), newId()]
    const listener = await connectTo(other, me, sessionId)
    expect(await listener.join(personChannel(me))).toBe('joined')
    one.deps.realtime.publish([unread(me, 4)])
    await expect
      .poll(() => listener.received)
      .toEqual([[personChannel(me), 'notifications.changed', { unread: 4 }]])
    one.deps.realtime.end([{ is: 'session', userId: me, sessionId }])
    await listener.waitForState('disconnected')
  })

  test('typing reaches the other person on the other server, with the id of who types', async () => {
    const [me, friend] = [newId(), newId()]
    const channel = conversationChannel(newId())
    const [mine, theirs] = [await connectTo(one, me), await connectTo(other, friend)]
    expect([await mine.join(channel), await theirs.join(channel)]).toEqual(['joined', 'joined'])
    const typed = new Promise((resolve) =>
      theirs.pusher.channel(channel).bind(TYPING, (data: unknown, by: unknown) => resolve([data, by])),
    )
    mine.pusher.channel(channel).trigger(TYPING, {})
    expect(await typed).toEqual([{}, { user_id: me }])
  })

  test('people on one presence channel see each other from server to server', async () => {
    const [me, friend] = [newId(), newId()]
    const channel = conversationChannel(newId())
    const seen: string[] = []
    const ownClient = await connectTo(one, me)
    const room = ownClient.pusher.subscribe(channel)
    room.bind('pusher:member_added', (it: { id: string }) => void seen.push(`added ${it.id}`))
    room.bind('pusher:member_removed', (it: { id: string }) => void seen.push(`removed ${it.id}`))
    await new Promise((resolve) => room.bind('pusher:subscription_succeeded', resolve))
    const friendClient = await connectTo(other, friend)
    const friendRoom = friendClient.pusher.subscribe(channel)
    const members = new Promise<Record<string, unknown>>((resolve) =>
      friendRoom.bind('pusher:subscription_succeeded', (it: { members: Record<string, unknown> }) =>
        resolve(it.members),
      ),
    )
    expect(Object.keys(await members).toSorted()).toEqual([me, friend].toSorted())
    await expect.poll(() => seen).toEqual([`added ${friend}`])
    friendClient.close()
    await expect.poll(() => seen).toEqual([`added ${friend}`, `removed ${friend}`])
  })

  test('after Redis was down, all clients reconnect and receive messages again', async () => {
    const me = newId()
    const listener = await connectTo(other, me)
    await listener.join(personChannel(me))
    connectionStates.length = 0
    await redis.kill()
    await expect.poll(() => connectionStates).toContain(false)
    await redis.start()
    await listener.waitForState('connecting')
    await listener.waitForState('connected')
    await expect
      .poll(
        () => {
          one.deps.realtime.publish([unread(me, 1)])
          return listener.received.length
        },
        { timeout: 60_000, interval: 300 },
      )
      .toBeGreaterThan(0)
    expect(connectionStates.at(-1)).toBe(true)
  })
})

describe('another process', () => {
  let world: World
  const port = () => Number(new URL(world.origin).port)
  const pusherClient = (secret = app.secret) =>
    new Pusher({
      appId: app.id,
      key: app.key,
      secret,
      host: '127.0.0.1',
      port: String(port()),
      useTLS: false,
    })
  beforeAll(async () => {
    const realtime = openOwnRealtime({ app, clock: Date.now })
    world = await openWorld({ listen: true, parts: { clock: Date.now, realtime } })
  })
  afterAll(() => world.close())

  test('publishes single messages and batches by the official library, except to the excluded socket', async () => {
    const me = newId()
    const [tab, caller] = [await connectTo(world, me), await connectTo(world, me)]
    for (const it of [tab, caller]) await it.join(personChannel(me))
    const { channel, event: name, data } = unread(me, 1)
    await pusherClient().trigger(channel, name, data, { socket_id: caller.pusher.connection.socket_id })
    await pusherClient().triggerBatch([2, 3].map((count) => ({ ...unread(me, count), name })))
    const counts = (it: Listener) =>
      it.received.map(([, , received]) => (received as { unread: number }).unread)
    await expect.poll(() => counts(tab)).toEqual([1, 2, 3])
    await expect.poll(() => counts(caller)).toEqual([2, 3])
  })

  test('is refused with another secret, a protocol event or an unknown channel', async () => {
    const me = newId()
    const statusOf = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error: { status?: number }) => error.status,
      )
    expect(await statusOf(pusherClient('guessed').trigger(personChannel(me), 'feed.newer', {}))).toBe(401)
    expect(await statusOf(pusherClient().trigger(personChannel(me), 'pusher:error', {}))).toBe(422)
    expect(await statusOf(pusherClient().trigger('news', 'feed.newer', {}))).toBe(422)
  })

  test('a server with an external service publishes and ends connections by it', async () => {
    const me = newId()
    const listener = await connectTo(world, me)
    await listener.join(personChannel(me))
    const browsers = { key: app.key, host: '127.0.0.1', port: port(), scheme: 'http', path: '/ws' } as const
    const external = openServiceRealtime(
      { app, host: '127.0.0.1', port: port(), https: false, browsers },
      () => undefined,
    )
    external.publish([unread(me, 9)])
    await expect.poll(() => listener.received).toHaveLength(1)
    external.end([{ is: 'person', userId: me }])
    await listener.waitForState('disconnected')
  })
})
