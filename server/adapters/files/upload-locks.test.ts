// Locks of uploads, of one process and of several servers on one Redis.
import { ERRORS } from '@tus/server'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#contract/ids.ts'
import { defined } from '#contract/testing/defined.ts'
import { connected, openRedis, type RedisClient } from '#server/adapters/redis.ts'
import { openTopics } from '#server/adapters/topics/topics.ts'
import { type RedisServer, redisAvailable, startRedis } from '#server/testing/redis.ts'
import { SharedUploadLocks, type SharedLockOptions } from './shared-upload-locks.ts'
import { LocalUploadLocks, type UploadLocks } from './upload-locks.ts'

/** Longer than any test takes, so that only tests about it meet it. */
const PATIENT = 60_000

let redis: RedisServer | undefined
const closing: (() => void)[] = []
beforeAll(async () => {
  if (redisAvailable()) redis = await startRedis()
})
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => redis?.discard())

/** The locks of a server of its own, with its own connections. */
async function openServer(
  options: SharedLockOptions = {},
): Promise<{ locks: UploadLocks; client: RedisClient }> {
  const url = defined(redis?.url)
  const client = openRedis(url)
  const topics = openTopics(url, client)
  closing.push(() => {
    topics.close()
    client.disconnect()
  })
  await connected(client)
  return { locks: new SharedUploadLocks(client, topics, { timeoutMs: PATIENT, ...options }), client }
}

/** Takes the lock, and keeps it until `release` is called or another request waits. */
async function hold(locks: UploadLocks, id: string) {
  const taken = Promise.withResolvers<void>()
  const wanted = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const done = locks.withLock(
    id,
    async () => {
      taken.resolve()
      await end.promise
    },
    () => wanted.resolve(),
  )
  done.catch(taken.reject)
  await taken.promise
  return { wanted: wanted.promise, release: () => (end.resolve(), done) }
}

const local = async (timeoutMs: number): Promise<[UploadLocks, UploadLocks]> => {
  const locks = new LocalUploadLocks(timeoutMs)
  return [locks, locks]
}
const servers = async (timeoutMs: number): Promise<[UploadLocks, UploadLocks]> => [
  (await openServer({ timeoutMs })).locks,
  (await openServer({ timeoutMs })).locks,
]
const oneOfServers = async (timeoutMs: number): Promise<[UploadLocks, UploadLocks]> => {
  const { locks } = await openServer({ timeoutMs })
  return [locks, locks]
}

describe.each([
  { name: 'requests of one process', open: local, available: true },
  { name: 'requests of two servers', open: servers, available: redisAvailable() },
  { name: 'requests of one server of several', open: oneOfServers, available: redisAvailable() },
])('$name', ({ open, available }) => {
  describe.skipIf(!available)('for one upload', () => {
    test('work one after the other, and the second knows that it has waited', async () => {
      const [one, other] = await open(PATIENT)
      const id = newId()
      const order: string[] = []
      const first = await hold(one, id)
      const second = other.withLock(id, async ({ waited, mustLast }) => {
        mustLast()
        order.push(`second ${waited}`)
      })
      await first.wanted
      order.push('first')
      await first.release()
      await second
      expect(order).toEqual(['first', 'second true'])
      expect(await one.withLock(id, async ({ waited }) => waited)).toBe(false)
    })

    test('give up after a time, and the holder keeps the lock', async () => {
      const [one, other] = await open(300)
      const id = newId()
      const first = await hold(one, id)
      await expect(other.withLock(id, async () => undefined)).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT)
      await first.release()
      expect(await other.withLock(id, async () => 'taken')).toBe('taken')
    })

    test('give up when they end, and leave the lock free', async () => {
      const [one, other] = await open(PATIENT)
      const id = newId()
      const first = await hold(one, id)
      const request = new AbortController()
      const waiting = other.newLock(id).lock(request.signal, () => undefined)
      await first.wanted
      request.abort()
      await expect(waiting).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT)
      await first.release()
      expect(await one.withLock(id, async () => 'taken')).toBe('taken')
    })

    test('release the lock when their work fails', async () => {
      const [one, other] = await open(PATIENT)
      const id = newId()
      const failing = one.withLock(id, async () => {
        throw new Error('broken')
      })
      await expect(failing).rejects.toThrow('broken')
      expect(await other.withLock(id, async ({ waited }) => waited)).toBe(false)
    })

    test('work beside those for another upload', async () => {
      const [one, other] = await open(PATIENT)
      const first = await hold(one, newId())
      expect(await other.withLock(newId(), async ({ waited }) => waited)).toBe(false)
      await first.release()
    })
  })
})

describe.skipIf(!redisAvailable())('a lock of several servers', () => {
  test('is renewed as long as it is held', async () => {
    const { locks, client } = await openServer({ leaseMs: 3000 })
    const id = newId()
    await locks.withLock(id, async ({ mustLast }) => {
      let least = Number.POSITIVE_INFINITY
      const isLonger = async () => {
        const left = await client.pttl(`todoke:upload-lock:${id}`)
        least = Math.min(least, left)
        return left > least
      }
      await expect.poll(isLonger).toBe(true)
      mustLast()
    })
  })

  test('is free after a while when its server has died', async () => {
    const { locks: dying, client } = await openServer({ leaseMs: 600 })
    const { locks: other } = await openServer()
    const id = newId()
    const first = await hold(dying, id)
    client.disconnect()
    expect(await other.withLock(id, async ({ waited }) => waited)).toBe(true)
    await first.release()
  })

  test('does not last when its server was paused, and its release leaves the lock of the next holder', async () => {
    let paused = 0
    const { locks, client } = await openServer({ leaseMs: PATIENT, now: () => performance.now() + paused })
    const { locks: other } = await openServer()
    const id = newId()
    let next: Awaited<ReturnType<typeof hold>> | undefined
    await locks.withLock(id, async ({ mustLast }) => {
      mustLast()
      paused = PATIENT
      await expect(async () => mustLast()).rejects.toBe(ERRORS.ERR_LOCK_TIMEOUT)
      // What Redis does at the end of the lease.
      await client.del(`todoke:upload-lock:${id}`)
      next = await hold(other, id)
    })
    expect(await client.exists(`todoke:upload-lock:${id}`)).toBe(1)
    await next?.release()
    expect(await client.exists(`todoke:upload-lock:${id}`)).toBe(0)
  })

  test('is of each server alone while Redis does not reply', async () => {
    const { locks, client } = await openServer()
    client.disconnect()
    const id = newId()
    const first = await hold(locks, id)
    const second = locks.withLock(id, async ({ waited, mustLast }) => (mustLast(), waited))
    await first.wanted
    await first.release()
    expect(await second).toBe(true)
  })
})
