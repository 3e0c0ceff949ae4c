// Probes: which dependencies each one needs, and what they cost.
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call, errorOf } from '#server/testing/people/members.ts'
import { openWorld, storedAt, type World } from '#server/testing/world.ts'
import { noLimits } from '#server/http/limits.ts'

let world: World
beforeEach(async () => {
  const limits = { ...noLimits, general: { max: 3, timeWindow: 60_000 } }
  world = await openWorld({ settings: { limits } })
})
afterEach(() => world.close())

const probe = async (path: 'live' | 'ready') => {
  const reply = await call(world, null, 'GET', `/health/${path}`)
  return [reply.statusCode, reply.statusCode === 200 ? reply.json() : errorOf(reply).code]
}

const ok = [200, { status: 'ok' }]
const unavailable = [503, 'unavailable']

test('a server with its database and storage is alive and ready', async () => {
  expect([await probe('live'), await probe('ready')]).toEqual([ok, ok])
})

test('without its data folder it is alive, and not ready', async () => {
  await rm(storedAt(world, 'tmp'), { recursive: true })
  expect([await probe('live'), await probe('ready')]).toEqual([ok, unavailable])
})

test('without its database it is alive, and not ready', async () => {
  vi.spyOn(world.deps.database, 'ping').mockRejectedValue(new Error('gone'))
  expect([await probe('live'), await probe('ready')]).toEqual([ok, unavailable])
})

test('while it refuses new requests it is alive, and not ready', async () => {
  world.deps.draining.now = true
  expect([await probe('live'), await probe('ready')]).toEqual([ok, unavailable])
})

test('before it stops it is alive, and not ready; other requests are served, and each closes its connection', async () => {
  world.deps.draining.soon = true
  expect([await probe('live'), await probe('ready')]).toEqual([ok, unavailable])
  const health = await call(world, null, 'GET', '/health')
  expect([health.statusCode, health.json().status]).toEqual([200, 'draining'])
  const other = await call(world, null, 'GET', '/operator')
  expect([other.statusCode, other.headers['connection']]).toEqual([200, 'close'])
})

test('probes and the health of the app share one check, and no limit counts probes', async () => {
  const ping = vi.spyOn(world.deps.database, 'ping')
  const storage = vi.spyOn(world.deps.storage.objects, 'probe')
  const probes = Array.from({ length: 20 }, () => probe('ready'))
  await call(world, null, 'GET', '/health')
  expect(new Set((await Promise.all(probes)).map(([status]) => status))).toEqual(new Set([200]))
  for (let i = 0; i < 5; i++) expect(await probe('live')).toEqual(ok)
  expect([ping.mock.calls.length, storage.mock.calls.length]).toEqual([1, 1])
})
