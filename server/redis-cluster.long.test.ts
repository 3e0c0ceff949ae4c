// Two servers on one Redis Cluster, whose masters die and whose slots move.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { conversationChannel, personChannel } from '#contract/realtime/channels.ts'
import { newId } from '#contract/ids.ts'
import { topicOf } from './adapters/realtime/bus.ts'
import { openOwnRealtime } from './adapters/realtime/server.ts'
import { stateOf } from './adapters/redis.ts'
import { openShared } from './adapters/shared.ts'
import { EVERY_SERVER } from './adapters/topics/topics.ts'
import { type Listener, openGranted } from './testing/clients/echo.ts'
import { redisAvailable, withoutShardedTopics } from './testing/redis.ts'
import { type RedisCluster, startRedisCluster } from './testing/redis/cluster.ts'
import { openWorld, type World } from './testing/world.ts'

const app = { id: 'todoke', key: 'key', secret: 'a secret of both' }
const HOUR = 3_600_000
const POLL = { timeout: 30_000, interval: 100 }

type Shared = NonNullable<Awaited<ReturnType<typeof openShared>>>
type Server = World & { readonly shared: Shared; readonly states: boolean[] }

let cluster: RedisCluster
let one: Server
let other: Server
const open: Listener[] = []

async function server(): Promise<Server> {
  const shared = await openShared(cluster.url, () => undefined)
  if (!shared) throw new Error('no URL')
  const states: boolean[] = []
  shared.topics.onChange((isConnected) => void states.push(isConnected))
  const realtime = openOwnRealtime({ app, clock: Date.now, shared, limits: { missedWithin: 300 } })
  const world = await openWorld({ listen: true, parts: { clock: Date.now, realtime } })
  const close = () => world.close().then(() => shared.close())
  return { ...world, shared, states, close }
}

/** Connects a person with their channel, and records when the connection closes. */
async function connect(world: World, userId: string, sessionId = newId()) {
  const it = await openGranted(world, { userId, sessionId, name: userId.slice(-4) }, Date.now)
  open.push(it)
  expect(await it.join(personChannel(userId))).toBe('joined')
  const closings: string[] = []
  it.pusher.connection.bind(
    'state_change',
    ({ previous, current }: { previous: string; current: string }) => {
      if (previous === 'connected') closings.push(current)
    },
  )
  return { ...it, closings }
}

const unread = (userId: string, count: number) =>
  ({ channel: personChannel(userId), event: 'notifications.changed', data: { unread: count } }) as const

/** A person whose channel has this master. */
async function personOn(port: number): Promise<string> {
  for (;;) {
    const id = newId()
    if ((await cluster.masterOf(topicOf(personChannel(id)))) === port) return id
  }
}

/** Publishes on one server until a client of the other receives it. */
const arrives = async (userId: string, { received }: Listener) => {
  const before = received.length
  const publish = () => (one.deps.realtime.publish([unread(userId, 1)]), received.length)
  await expect.poll(publish, POLL).toBeGreaterThan(before)
}

test('a cluster that cannot be reached is no error at the start, and each server counts alone', async () => {
  const shared = await openShared('redis+cluster://127.0.0.1:1', () => undefined)
  expect((await shared?.counts.add('a', HOUR))?.current).toBe(1)
  if (shared)
    await expect(stateOf(shared.redis).ping()).rejects.toThrow('no node of the Redis Cluster is reachable')
  shared?.close()
})

test.skipIf(!redisAvailable())(
  'a cluster without sharded pub/sub passes messages of every shard on',
  async () => {
    const older = await startRedisCluster(withoutShardedTopics)
    const [from, to] = [
      await openShared(older.url, () => undefined),
      await openShared(older.url, () => undefined),
    ]
    const names = Array.from({ length: 12 }, (_, i) => `topic ${i}`)
    const received = new Set<string>()
    for (const topic of names)
      to?.topics.subscribe(topic, { received: () => void received.add(topic), missed: () => undefined })
    const publish = () => {
      for (const topic of names) from?.topics.publish(topic, Buffer.from('x'), 'nothing')
      return received.size
    }
    await expect.poll(publish).toBe(names.length)
    for (const it of [from, to]) it?.close()
    await older.discard()
  },
  60_000,
)

describe.skipIf(!redisAvailable())('two servers on a Redis Cluster', () => {
  beforeAll(async () => {
    cluster = await startRedisCluster()
    one = await server()
    other = await server()
  }, 60_000)
  afterEach(() => {
    for (const it of open.splice(0)) it.close()
  })
  afterAll(async () => {
    await one.close()
    await other.close()
    await cluster.discard()
  })

  test('count limits together, on every shard', async () => {
    const keys = Array.from({ length: 50 }, (_, i) => `key ${i}`)
    for (const { shared } of [one, other]) await Promise.all(keys.map((it) => shared.counts.add(it, HOUR)))
    await Promise.all(keys.slice(25).map((it) => one.shared.counts.subtract(it)))
    const counts = await Promise.all(
      keys.map(async (it) => (await other.shared.counts.add(it, HOUR)).current),
    )
    expect(counts).toEqual(keys.map((_, i) => (i < 25 ? 3 : 2)))
  })

  test('take turns with an upload, and the holder learns at once that the other waits', async () => {
    for (let i = 0; i < 6; i++) {
      const id = newId()
      const wanted = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const first = one.shared.uploadLocks.withLock(
        id,
        async () => (held.resolve(), wanted.promise),
        () => wanted.resolve(),
      )
      await held.promise
      const waited = other.shared.uploadLocks.withLock(id, async (hold) => hold.waited)
      await first
      expect(await waited).toBe(true)
    }
  })

  test('answer the machine page: every master replies, with its version', async () => {
    const state = stateOf(one.shared.redis)
    await state.ping()
    expect(await state.version()).toMatch(/^\d+\.\d+/)
  })

  test('pass messages of every shard, endings and presence on', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const [id, sessionId] = [newId(), newId()]
        return { id, sessionId, listener: await connect(other, id, sessionId) }
      }),
    )
    one.deps.realtime.publish(people.map(({ id }, i) => unread(id, i)))
    const received = () => people.map(({ listener }) => listener.received.map(([, , data]) => data))
    await expect.poll(received).toEqual(people.map((_, i) => [{ unread: i }]))
    const [first, second] = people
    const room = conversationChannel(newId())
    const mine = await connect(one, newId())
    expect(await mine.join(room)).toBe('joined')
    const added = new Promise((resolve) => mine.pusher.channel(room).bind('pusher:member_added', resolve))
    expect(await second?.listener.join(room)).toBe('joined')
    expect(await added).toMatchObject({ id: second?.id })
    one.deps.realtime.end([{ is: 'session', userId: first?.id ?? '', sessionId: first?.sessionId ?? '' }])
    await first?.listener.waitForState('disconnected')
  })

  test('receive a message only on servers with a subscriber of its channel', async () => {
    const me = newId()
    const topic = topicOf(personChannel(me))
    const client = cluster.clientOf(await cluster.masterOf(topic))
    const receivers = () => client.spublish(topic, 'x')
    expect(await receivers()).toBe(0)
    await connect(other, me)
    expect(await receivers()).toBe(1)
    await connect(one, me)
    expect(await receivers()).toBe(2)
  })

  test('subscribe again when a slot moves, and the pages of its channel read again', async () => {
    const everyServer = await cluster.masterOf(EVERY_SERVER)
    const [me, neighbour] = [newId(), await personOn(everyServer)]
    const [mine, theirs] = [await connect(other, me), await connect(other, neighbour)]
    await cluster.moveSlot(topicOf(personChannel(me)))
    await expect.poll(() => mine.closings, POLL).toHaveLength(1)
    await mine.waitForState('connected')
    await arrives(me, mine)
    expect(theirs.closings).toEqual([])
  }, 60_000)

  test('go on when a master is killed; only the pages of its channels read again, and its replica takes over', async () => {
    const everyServer = await cluster.masterOf(EVERY_SERVER)
    const [me, neighbour] = [await personOn(await killable(everyServer)), await personOn(everyServer)]
    const [mine, theirs] = [await connect(other, me), await connect(other, neighbour)]
    for (const it of [one, other]) it.states.length = 0
    await cluster.kill(await cluster.masterOf(topicOf(personChannel(me))))
    const isUp = () =>
      stateOf(one.shared.redis)
        .ping()
        .then(
          () => true,
          () => false,
        )
    expect(await isUp()).toBe(false)
    await arrives(neighbour, theirs)
    await expect.poll(() => mine.closings, POLL).toHaveLength(1)
    await mine.waitForState('connected')
    await arrives(me, mine)
    expect(theirs.closings).toEqual([])
    await expect.poll(isUp, POLL).toBe(true)
    await expect.poll(() => [other.states[0], other.states.at(-1)], POLL).toEqual([false, true])
  }, 60_000)

  test('close all connections when the master of the endings vanishes, and serve requests until then', async () => {
    const everyServer = await cluster.masterOf(EVERY_SERVER)
    const [me, friend] = [newId(), await personOn(await killable(everyServer))]
    const [mine, theirs] = [await connect(other, me), await connect(other, friend)]
    // A frozen machine closes no connection: only the other nodes notice that it is gone.
    cluster.freeze(everyServer)
    await Promise.all(Array.from({ length: 30 }, (_, i) => one.shared.counts.add(`frozen ${i}`, HOUR)))
    for (const it of [mine, theirs]) {
      await expect.poll(() => it.closings, POLL).toHaveLength(1)
      await it.waitForState('connected')
    }
    await arrives(me, mine)
    await arrives(friend, theirs)
  }, 60_000)
})

/** A master that is not the one of the endings. */
async function killable(everyServer: number): Promise<number> {
  for (;;) {
    const port = await cluster.masterOf(newId())
    if (port !== everyServer) return port
  }
}
