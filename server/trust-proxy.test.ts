// Client addresses behind trusted proxies, for HTTP requests and WebSocket upgrades.
import { afterAll, describe, expect, test } from 'vitest'
import { openOwnRealtime } from './adapters/realtime/server.ts'
import { readEnv } from './env/env.ts'
import { ownApp } from './env/realtime.ts'
import { openRawSocket } from './testing/clients/raw-socket.ts'
import { openWorld, type World } from './testing/world.ts'
import { compileTrust } from './http/client-address.ts'
import { noLimits } from './http/limits.ts'

const HOUR = 3600_000
const sockets: { readonly close: () => void }[] = []
const worlds = new Map<string, Promise<World>>()
afterAll(async () => {
  for (const it of sockets) it.close()
  for (const world of worlds.values()) await (await world).close()
})

/** The server of a setting. Requests and sockets count for themselves, so both use one server. */
function serverWith(setting: string): Promise<World> {
  const world = worlds.get(setting) ?? open(setting)
  worlds.set(setting, world)
  return world
}

/** A server with this TRUST_PROXY that permits one wrong password and one unauthorized socket of each network. */
function open(setting: string): Promise<World> {
  return openWorld({
    listen: true,
    settings: {
      trustProxy: readEnv({ TRUST_PROXY: setting }).TRUST_PROXY,
      limits: { ...noLimits, guesses: { max: 1, timeWindow: HOUR } },
    },
    parts: {
      realtime: (secrets) =>
        openOwnRealtime({ app: ownApp({}, secrets), clock: Date.now, limits: { unauthorized: 1 } }),
    },
  })
}

async function overHttp(world: World, forwarded: string): Promise<number> {
  const reply = await fetch(`${world.origin}/api/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
    body: JSON.stringify({ email: 'none@example.com', password: 'wrong-1234' }),
  })
  return reply.status
}

async function overSocket(world: World, forwarded: string): Promise<number> {
  const answered = await openRawSocket(world, { headers: { 'x-forwarded-for': forwarded } })
  if (typeof answered === 'number') return answered
  sockets.push(answered.ws)
  return 101
}

const transports = [
  ['a request', overHttp, 401],
  ['a WebSocket upgrade', overSocket, 101],
] as const

describe.each([
  ['one hop', '1'],
  ['a list that contains the proxy', '127.0.0.1, ::1, 10.0.0.0/8'],
  ['a name of networks', 'loopback'],
])('with TRUST_PROXY as %s', (_name, setting) => {
  test.each(transports)(
    '%s counts for the address that its proxy saw, independent of the first entries of X-Forwarded-For',
    async (_transport, send, accepted) => {
      const world = await serverWith(setting)
      expect(await send(world, '203.0.113.1')).toBe(accepted)
      expect(await send(world, '198.51.100.7, 203.0.113.1'), 'a forged first entry').toBe(429)
      expect(await send(world, '198.51.100.8, garbage, 203.0.113.1'), 'an entry that is no address').toBe(429)
      expect(await send(world, '203.0.113.2'), 'another client of the same proxy').toBe(accepted)
    },
  )
})

test.each(transports)(
  'with two hops %s counts for the entry before the inner proxy',
  async (_transport, send, accepted) => {
    const world = await serverWith('2')
    expect(await send(world, '203.0.113.1, 10.0.0.9')).toBe(accepted)
    expect(await send(world, '198.51.100.7, 203.0.113.1, 10.0.0.8')).toBe(429)
  },
)

test.each(transports)('with a list %s skips only proxies of the list', async (_transport, send, accepted) => {
  const world = await serverWith('loopback, 10.0.0.0/8')
  expect(await send(world, '203.0.113.1, 10.0.0.9')).toBe(accepted)
  expect(await send(world, '198.51.100.7, 203.0.113.1, 10.9.9.9, 10.0.0.8')).toBe(429)
})

test.each([
  ['0', 'no proxy is trusted'],
  ['192.0.2.0/24', 'the peer is not in the list'],
])('with TRUST_PROXY=%s %s, and X-Forwarded-For is not read', async (setting) => {
  const world = await serverWith(setting)
  for (const [, send, accepted] of transports) {
    expect(await send(world, '203.0.113.1')).toBe(accepted)
    expect(await send(world, '203.0.113.2')).toBe(429)
  }
})

test.each(['yes', 'true', '-1', '1.5', '11', '10.0.0.0/33', '0.0.0.0/0', '::/0', ',', 'proxy.example'])(
  'TRUST_PROXY=%s is refused at the start in one sentence',
  (setting) => {
    expect(() => readEnv({ TRUST_PROXY: setting })).toThrow(
      /^環境変数 TRUST_PROXY の値が正しくありません。[^。]+。$/,
    )
  },
)

test('an IPv4 proxy that connects over IPv6 matches the list', () => {
  const trust = compileTrust('10.0.0.0/8')
  expect([trust('::ffff:10.1.2.3', 0), trust('::ffff:11.1.2.3', 0)]).toEqual([true, false])
})
