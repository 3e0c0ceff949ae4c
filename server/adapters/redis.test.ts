// URLs of sentinels and clusters, and connections to a master after the last one died.
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
import { clusterOf, sentinelsOf } from './redis-urls.ts'
import { connected, openRedis } from './redis.ts'
import { openTopics } from './topics/topics.ts'

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

describe('the URL of a cluster', () => {
  test('has some of its nodes, and what each of them needs', () => {
    expect(clusterOf('rediss+cluster://me:a%40b@one:1,two')).toEqual({
      nodes: [
        { host: 'one', port: 1 },
        { host: 'two', port: 6379 },
      ],
      options: { username: 'me', password: 'a@b', tls: {} },
    })
    expect(clusterOf('redis+cluster://:secret@one/')?.options).toEqual({ password: 'secret' })
  })

  test.each([
    'redis://one',
    'redis+cluster://',
    'redis+cluster://one/1',
    'redis+cluster://one,',
    'redis+cluster://one:x',
    'redis+cluster://a:b:c@one',
    'redis+cluster://%@one',
    'redis+sentinel://one/main',
  ])('is not %s', (url) => {
    expect(clusterOf(url)).toBeUndefined()
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
    const [publisher, other] = [openRedis(url), openRedis(url)]
    const [sending, receiving] = [openTopics(url, publisher), openTopics(url, other)]
    const watch = new Redis(sentinel.port, '127.0.0.1')
    const states: boolean[] = []
    const own = createMemoryCounts(Date.now)
    const counts = createSharedCounts(publisher, own, (isAvailable) => void states.push(isAvailable))
    const received: string[] = []
    let gaps = 0
    receiving.subscribe('news', {
      received: (message) => void received.push(message.toString()),
      missed: () => (gaps += 1),
    })
    await connected(publisher)
    const publish = () => (sending.publish('news', Buffer.from('x'), 'nothing'), received.length)
    await expect.poll(publish).toBeGreaterThan(0)
    expect((await counts.add('a', 60_000)).current).toBe(1)
    const replicas = async () => ((await watch.call('SENTINEL', 'replicas', 'main')) as unknown[]).length
    await expect.poll(replicas, { timeout: 60_000 }).toBe(1)
    await master.kill()
    const countAgain = async () => (await counts.add('a', 60_000), states.at(-1))
    await expect.poll(countAgain, { timeout: 60_000, interval: 200 }).toBe(true)
    await expect.poll(() => gaps, { timeout: 60_000 }).toBeGreaterThan(0)
    received.length = 0
    await expect.poll(publish, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0)
    for (const it of [sending, receiving]) it.close()
    for (const it of [publisher, other, watch]) it.disconnect()
  }, 180_000)
})
