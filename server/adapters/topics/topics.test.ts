// Topics of servers on one real Redis, with and without sharded pub/sub.
import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { connected, openRedis, type RedisClient } from '#server/adapters/redis.ts'
import { redisAvailable, type RedisServer, startRedis, withoutShardedTopics } from '#server/testing/redis.ts'
import { openTopics, type Topics } from './topics.ts'

const closing: (() => void)[] = []
let redis: RedisServer

interface Server {
  readonly topics: Topics
  readonly client: RedisClient
  readonly states: boolean[]
  /** What arrived, with `missed` for a gap. */
  readonly log: string[]
  subscribe(topic: string): void
}

async function openServer(): Promise<Server> {
  const client = openRedis(redis.url)
  const topics = openTopics(redis.url, client)
  closing.push(() => {
    topics.close()
    client.disconnect()
  })
  const [log, states]: [string[], boolean[]] = [[], []]
  topics.onChange((isConnected) => void states.push(isConnected))
  await connected(client)
  const subscribe = (topic: string) =>
    topics.subscribe(topic, {
      received: (message) => void log.push(`${topic} ${message.toString()}`),
      missed: () => void log.push(`${topic} missed`),
    })
  return { topics, client, states, log, subscribe }
}

/** A server whose connection for subscriptions is ready, with confirmed topics. */
async function openSubscribed(...names: string[]): Promise<Server> {
  const server = await openServer()
  const probe = randomUUID()
  server.subscribe(probe)
  await expect.poll(() => numberOf(server.client, probe)).toBe(1)
  for (const topic of names) server.subscribe(topic)
  for (const topic of names) await server.topics.ready(topic)
  server.topics.unsubscribe(probe)
  server.log.length = 0
  return server
}

/** How many connections are subscribed to a topic, in either kind of pub/sub. */
async function numberOf(client: RedisClient, topic: string): Promise<number> {
  const count = async (what: string) => {
    const [, found] = (await client.call('PUBSUB', what, topic)) as [string, number]
    return found
  }
  return (await count('SHARDNUMSUB')) + (await count('NUMSUB'))
}

const publish = ({ topics }: Server, topic: string, ...texts: string[]) => {
  for (const text of texts) topics.publish(topic, Buffer.from(text), 'announce')
}

/** Gives a group of tests a Redis of its own. */
function useRedis(settings: readonly string[] = []): void {
  beforeAll(async () => {
    redis = await startRedis(settings)
  })
  afterEach(() => {
    for (const close of closing.splice(0)) close()
  })
  afterAll(() => redis.discard())
}

test('a Redis that is away at the start is reported, also to a listener that comes later', async () => {
  const url = 'redis://127.0.0.1:1'
  const client = openRedis(url)
  const topics = openTopics(url, client)
  const states: boolean[] = []
  await expect.poll(() => (topics.onChange((it) => void states.push(it)), states)).toContain(false)
  topics.close()
  client.disconnect()
})

describe.skipIf(!redisAvailable()).each([
  { name: 'Redis 7', settings: [], command: 'SHARDNUMSUB' },
  { name: 'a Redis without sharded pub/sub', settings: withoutShardedTopics, command: 'NUMSUB' },
])('on $name', ({ settings, command }) => {
  useRedis(settings)

  test('messages reach the other servers in their order, and not the own one', async () => {
    const [one, other] = [await openSubscribed('a'), await openSubscribed('a', 'b')]
    publish(one, 'a', '1', '2', '3')
    publish(one, 'b', '4')
    await expect.poll(() => other.log).toEqual(['a 1', 'a 2', 'a 3', 'b 4'])
    expect(one.log).toEqual([])
    expect(await one.client.call('PUBSUB', command, 'b')).toEqual(['b', 1])
  })

  test('a topic is confirmed before its first message is expected', async () => {
    const [one, other] = [await openServer(), await openSubscribed('first')]
    for (let i = 0; i < 50; i++) {
      other.subscribe(`topic ${i}`)
      await other.topics.ready(`topic ${i}`)
      publish(one, `topic ${i}`, 'x')
    }
    await expect.poll(() => other.log).toEqual(Array.from({ length: 50 }, (_, i) => `topic ${i} x`))
  })

  test('after Redis was restarted, every topic has a gap, and messages arrive again', async () => {
    const names = Array.from({ length: 1200 }, (_, i) => `topic ${i}`)
    const [one, other] = [await openServer(), await openSubscribed(...names)]
    await redis.kill()
    await expect.poll(() => other.states).toEqual([false])
    await redis.start()
    await expect.poll(() => other.states, { timeout: 10_000 }).toEqual([false, true])
    const missed = other.log.filter((it) => it.startsWith('topic'))
    expect(missed.toSorted()).toEqual(names.map((it) => `${it} missed`).toSorted())
    await expect
      .poll(() => (publish(one, 'topic 7', 'again'), other.log), { timeout: 10_000 })
      .toContain('topic 7 again')
  })
})

describe.skipIf(!redisAvailable())('on one Redis', () => {
  useRedis()

  test('a refusal of Redis is reported without the arguments of its command', async () => {
    const admin = openRedis(redis.url)
    await connected(admin)
    await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', 'allkeys', 'allcommands', 'resetchannels')
    const url = redis.url.replace('//', '//app:secret@')
    const client = openRedis(url)
    const topics = openTopics(url, client)
    closing.push(() => {
      topics.close()
      for (const it of [client, admin]) it.disconnect()
    })
    await connected(client)
    const reports: string[] = []
    topics.onChange((_, why) => void reports.push(inspect(why)))
    topics.publish('channel of a person', Buffer.from('x'), 'nothing')
    await expect.poll(() => reports).toHaveLength(1)
    expect(reports[0]).toContain('NOPERM')
    expect(reports[0]).not.toContain('channel of a person')
  })

  test('what the publisher could not send is a gap for the subscribers, whose connection was never lost', async () => {
    const [one, other] = [await openServer(), await openSubscribed('a', 'b')]
    publish(one, 'a', 'before')
    await expect.poll(() => other.log).toEqual(['a before'])
    one.client.disconnect(true)
    publish(one, 'a', 'lost', 'lost too')
    await expect.poll(() => other.log, { timeout: 10_000 }).toEqual(['a before', 'a missed'])
    await expect.poll(() => one.states).toEqual([false, true])
    expect(other.states).toEqual([])
  })

  test('while Redis does not reply, a subscription is waited for only briefly, and has a gap then', async () => {
    const other = await openSubscribed('a')
    redis.freeze()
    other.subscribe('late')
    await other.topics.ready('late')
    expect(other.log).toEqual([])
    redis.thaw()
    await expect.poll(() => other.log, { timeout: 10_000 }).toContain('late missed')
  })
})
