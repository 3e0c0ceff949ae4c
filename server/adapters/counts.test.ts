// Counters with a window: in memory, and in a Redis that may fail.
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { redisAvailable, type RedisServer, startRedis } from '#server/testing/redis.ts'
import { type Counts, createMemoryCounts, createSharedCounts } from './counts.ts'
import { connected, openRedis, type RedisClient } from './redis.ts'

const HOUR = 3_600_000
/** Longest reply of Redis, ms. It ends what hangs. */
const PATIENT_MS = 60_000

describe('in memory', () => {
  test('a window begins with the first count and ends after its time; later counts do not extend it', async () => {
    const clock = { now: 0 }
    const counts = createMemoryCounts(() => clock.now)
    const seen = []
    for (const now of [0, 400, 999, 1000, 1001]) {
      clock.now = now
      seen.push(await counts.add('a', 1000))
    }
    expect(seen).toEqual([
      { current: 1, ttl: 1000 },
      { current: 2, ttl: 600 },
      { current: 3, ttl: 1 },
      { current: 1, ttl: 1000 },
      { current: 2, ttl: 999 },
    ])
  })

  test('each key has its own count, and a reset one begins again', async () => {
    const counts = createMemoryCounts(() => 0)
    await counts.add('a', HOUR)
    await counts.add('b', HOUR)
    await counts.reset('a')
    expect([(await counts.add('a', HOUR)).current, (await counts.add('b', HOUR)).current]).toEqual([1, 2])
  })

  test('a subtracted count is not counted; a count is never below zero', async () => {
    const counts = createMemoryCounts(() => 0)
    await counts.subtract('a')
    await counts.add('a', HOUR)
    await counts.add('a', HOUR)
    for (let i = 0; i < 3; i++) await counts.subtract('a')
    expect((await counts.add('a', HOUR)).current).toBe(1)
  })

  test('at most so many keys are stored; the longest unused ones are removed first', async () => {
    const counts = createMemoryCounts(() => 0, 100)
    for (let i = 0; i < 1000; i++) {
      await counts.add('busy', HOUR)
      await counts.add(`key ${i}`, HOUR)
    }
    expect((await counts.add('busy', HOUR)).current).toBe(1001)
    expect((await counts.add('key 999', HOUR)).current).toBe(2)
    expect((await counts.add('key 0', HOUR)).current).toBe(1)
  })
})

describe.skipIf(!redisAvailable())('in Redis (Debian: apt-get install redis-server)', () => {
  let server: RedisServer
  const opened: RedisClient[] = []
  const reported: boolean[] = []
  /** The counts of a server. A busy machine replies late: one that is not patient then counts alone. */
  async function connect(isPatient = true): Promise<Counts> {
    const redis = openRedis(server.url)
    if (isPatient && redis instanceof Redis) redis.options.commandTimeout = PATIENT_MS
    opened.push(redis)
    await connected(redis)
    return createSharedCounts(
      redis,
      createMemoryCounts(Date.now),
      (isAvailable) => void reported.push(isAvailable),
    )
  }
  beforeAll(async () => {
    server = await startRedis()
  })
  afterAll(async () => {
    for (const it of opened) it.disconnect()
    await server.discard()
  })

  test('two servers count together, and a reset by one resets the other', async () => {
    const [one, other] = [await connect(), await connect()]
    await one.add('a', HOUR)
    const { current, ttl } = await other.add('a', HOUR)
    expect([current, ttl > HOUR - 60_000, ttl <= HOUR]).toEqual([2, true, true])
    await one.reset('a')
    expect((await other.add('a', HOUR)).current).toBe(1)
  })

  test('a count does not extend its window', async () => {
    const counts = await connect()
    await counts.add('steady', HOUR)
    const redis = opened.at(-1)
    for (const key of (await redis?.keys('*steady*')) ?? []) await redis?.pexpire(key, 60_000)
    const { current, ttl } = await counts.add('steady', HOUR)
    expect([current, ttl > 0, ttl <= 60_000]).toEqual([2, true, true])
  })

  test('a count that another server subtracts is not counted, and its window still ends', async () => {
    const [one, other] = [await connect(), await connect()]
    await one.subtract('subtracted')
    await one.add('subtracted', HOUR)
    for (let i = 0; i < 3; i++) await other.subtract('subtracted')
    const { current, ttl } = await one.add('subtracted', HOUR)
    expect([current, ttl > 0]).toEqual([1, true])
  })

  test('concurrent calls are all counted', async () => {
    const [one, other] = [await connect(), await connect()]
    const all = Array.from({ length: 100 }, (_, i) => (i % 2 ? one : other).add('together', HOUR))
    const seen = (await Promise.all(all)).map((it) => it.current)
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
  })

  test('every stored count has an expiry', async () => {
    const counts = await connect()
    await counts.add('b', HOUR)
    const [redis] = opened
    if (!redis) throw new Error('no connection')
    const keys = await redis.keys('*')
    const ttls = await Promise.all(keys.map((key) => redis.pttl(key)))
    expect(keys.length).toBeGreaterThan(0)
    expect(ttls.every((it) => it > 0)).toBe(true)
  })

  test('without Redis a server counts alone and reports it once, and counts in Redis again once it is back', async () => {
    const counts = await connect()
    reported.length = 0
    await counts.add('c', HOUR)
    await server.kill()
    const alone = [await counts.add('c', HOUR), await counts.add('c', HOUR)].map((it) => it.current)
    expect([alone, reported]).toEqual([[1, 2], [false]])
    await server.start()
    await expect.poll(async () => (await counts.add('d', HOUR), reported)).toEqual([false, true])
  })

  test('a Redis that does not reply lets a server count alone', async () => {
    const counts = await connect(false)
    await counts.add('e', HOUR)
    server.freeze()
    expect((await counts.add('e', HOUR)).current).toBe(1)
    server.thaw()
  })
})
