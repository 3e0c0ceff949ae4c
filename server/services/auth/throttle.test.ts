// The growing delay after failed tries of one secret.
import { EventEmitter } from 'node:events'
import type { FastifyRequest } from 'fastify'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryCounts } from '#server/adapters/counts.ts'
import { type Limits, noLimits } from '#server/http/limits.ts'
import { errorOf, PASSWORD, signUp } from '#server/testing/people/members.ts'
import { openWorld, type World } from '#server/testing/world.ts'
import { createThrottle, delayOf } from './throttle.ts'

const MINUTE = 60_000
const worlds: World[] = []
afterEach(async () => {
  for (const it of worlds.splice(0)) await it.close()
})

async function open(limits: Partial<Limits>, parts: object = {}): Promise<World> {
  const world = await openWorld({ settings: { limits: { ...noLimits, ...limits } }, parts })
  worlds.push(world)
  return world
}

async function signIn(world: World, email: string, from = '192.0.2.1', password = 'wrong-1234') {
  const payload = { email, password }
  const reply = await world.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in',
    payload,
    remoteAddress: from,
  })
  const code = reply.statusCode === 200 ? undefined : errorOf(reply).code
  return { code, status: reply.statusCode, retryAfter: reply.headers['retry-after'] }
}

describe('growing delay', () => {
  const settings = { free: 3, first: 1000, longest: 8000, window: MINUTE }

  test('three tries have no delay; the delay of each later one doubles, up to 8 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 1000].map((n) => delayOf(n, settings))).toEqual([
      0, 0, 0, 1000, 2000, 4000, 8000, 8000, 8000,
    ])
  })

  test('each failed sign-in is delayed; the right password resets the delay', async () => {
    const world = await open({ throttle: { free: 1, first: 61, longest: 122, window: MINUTE } })
    const member = await signUp(world)
    const timer = vi.spyOn(globalThis, 'setTimeout')
    onTestFinished(() => timer.mockRestore())
    for (let n = 0; n < 4; n++) await signIn(world, member.email)
    // The right password waits as long as a wrong one, so that an early disconnect reveals nothing.
    expect((await signIn(world, member.email, undefined, PASSWORD)).status).toBe(200)
    const waits = timer.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 61 || ms === 122)
    expect(waits).toEqual([61, 122, 122, 122])
    const tries = await world.deps.counts.add(`tries sign-in 192.0.2.1 ${member.email}`, MINUTE)
    expect(tries.current).toBe(1)
  })

  const caller = () => {
    const socket = new EventEmitter()
    const request = { raw: { socket }, ip: '192.0.2.1', body: { email: 'a@example.com' } }
    return { socket, request: request as unknown as FastifyRequest }
  }

  test('a try whose caller disconnects stops waiting, and at most 500 tries wait at once', async () => {
    const slow = createThrottle(
      createMemoryCounts(() => 0),
      { ...noLimits, throttle: { free: 0, first: 600_000, longest: 600_000, window: MINUTE } },
      'sign-in',
    )
    const callers = Array.from({ length: 500 }, caller)
    const waiting = callers.map(({ request }) =>
      slow.wait(request, 'a').catch((error: Error) => error.message),
    )
    // Counting is asynchronous; after this turn all five hundred wait.
    await new Promise((resolve) => setImmediate(resolve))
    await expect(slow.wait(caller().request, 'a')).rejects.toThrow('rate_limited')
    for (const { socket } of callers) socket.emit('close')
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['rate_limited']))
    const next = caller()
    const later = slow.wait(next.request, 'a').catch((error: Error) => error.message)
    await new Promise((resolve) => setImmediate(resolve))
    expect(next.socket.listenerCount('close')).toBe(1)
    next.socket.emit('close')
    expect(await later).toBe('rate_limited')
  })
})
