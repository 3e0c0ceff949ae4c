// Connections to the master that sentinels name, also after it died.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  redisAvailable,
  type RedisServer,
  type Sentinel,
  startRedis,
  startSentinel,
} from '#server/testing/redis.ts'
import { createMemoryCounts, createSharedCounts } from './counts.ts'
import { connected, openRedis, sentinelsOf } from './redis.ts'

describe('the URL of sentinels', () => {
  test('has hosts, the name of the master, and what a Redis needs', () => {
    expect(sentinelsOf('rediss+sentinel://me:a%40b@one:1,two/main/3')).toMatchObject({
      sentinels: [
        { host: 'one', port: 1 },
        { host: 'two', port: 26_379 },
      ],
      name: 'main',
      db: 3,
      username: 'me',
      password: 'a@b',
      tls: {},
    })
    expect(sentinelsOf('redis+sentinel://:secret@one/main')).not.toHaveProperty('tls')
    expect(sentinelsOf('redis+sentinel://:secret@one/main')).not.toHaveProperty('username')
  })

  test.each([
    'redis://one',
    'redis+sentinel://one',
    'redis+sentinel://one:x/main',
    'redis+sentinel://one,/main',
  ])('is not %s', (url) => {
    expect(sentinelsOf(url)).toBeUndefined()
  })
})

describe.skipIf(!redisAvailable())('a master, a replica and a sentinel', () => {
  const portOf = ({ url }: RedisServer) => Number(new URL(url).port)
  let master: RedisServer
  let replica: RedisServer
  let sentinel: Sentinel
  beforeAll(async () => {
    master = await startRedis()
    replica = await startRedis(['--replicaof', '127.0.0.1', String(portOf(master))])
    sentinel = await startSentinel('main', portOf(master))
  })
  afterAll(async () => {
    await sentinel.discard()
    await replica.discard()
    await master.discard()
  })

  test('after the master has died, limits are counted on the replica, and messages arrive', async () => {
    const url = `redis+sentinel://127.0.0.1:${sentinel.port}/main`
    const [publisher, subscriber] = [openRedis(url), openRedis(url)]
    const watch = new Redis(sentinel.port, '127.0.0.1')
    const states: boolean[] = []
    const own = createMemoryCounts(Date.now)
    const counts = createSharedCounts(publisher, own, (isAvailable) => void states.push(isAvailable))
    const received: string[] = []
    subscriber.on('message', (_topic, text: string) => void received.push(text))
    await connected(publisher)
    await connected(subscriber)
    await subscriber.subscribe('news')
    expect((await counts.add('a', 60_000)).current).toBe(1)
    const replicas = async () => ((await watch.call('SENTINEL', 'replicas', 'main')) as unknown[]).length
    await expect.poll(replicas, { timeout: 60_000 }).toBe(1)
    await master.kill()
    const countAgain = async () => (await counts.add('a', 60_000), states.at(-1))
    await expect.poll(countAgain, { timeout: 60_000, interval: 200 }).toBe(true)
    expect(publisher.options.sentinels).toHaveLength(1)
    const publish = async () => (await publisher.publish('news', 'x').catch(() => 0), received.length)
    await expect.poll(publish, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0)
    for (const it of [publisher, subscriber, watch]) it.disconnect()
  }, 180_000)
})
