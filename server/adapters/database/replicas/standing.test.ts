// Which replicas may serve reads, by what they and the primary say of themselves.
import { describe, expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { formatLsn, parseLsn } from './lsn.ts'
import { shareNext } from './shared-call.ts'
import { lagOf, type PrimaryFacts, type ReplicaFacts, standingOf } from './standing.ts'

const primary: PrimaryFacts = { cluster: '7', database: '5', timeline: 2, written: 900n, at: 0 }
const replica: ReplicaFacts = {
  cluster: '7',
  database: '5',
  timeline: 2,
  isStandby: true,
  replayed: 800n,
  migration: 50,
}

test.each<[string, Partial<ReplicaFacts>, number]>([
  ['used', {}, 10],
  ['used', { migration: 51 }, 0],
  ['lagging', {}, 11],
  ['foreign', { cluster: '8' }, 0],
  ['foreign', { database: '6' }, 0],
  ['promoted', { isStandby: false }, 0],
  ['promoted', { replayed: undefined }, 0],
  ['diverged', { timeline: 1 }, 0],
  ['diverged', { timeline: 3 }, 0],
  ['outdated', { migration: 49 }, 0],
])('a replica is %s: %j with a lag of %i', (standing, facts, lag) => {
  expect(standingOf(primary, { ...replica, ...facts }, lag, { lag: 10, migration: 50 })).toBe(standing)
})

describe('the lag of a replica', () => {
  const seen = [
    { written: 100n, at: 1000 },
    { written: 100n, at: 2000 },
    { written: 300n, at: 3000 },
    { written: 500n, at: 4000 },
  ]
  test.each([
    [500n, 0],
    [900n, 0],
    [499n, 500],
    [300n, 500],
    [299n, 1500],
    [100n, 1500],
    [99n, 3500],
  ])('that has replayed up to %i is %i ms', (replayed, lag) => {
    expect(lagOf(seen, replayed, 4500)).toBe(lag)
  })

  test('does not grow while the primary writes nothing', () => {
    expect(lagOf(seen, 500n, 1e9)).toBe(0)
  })
})

test('a position is written as PostgreSQL does, and other texts are none', () => {
  for (const text of ['0/0', '16/B374D848', 'FFFFFFFF/FFFFFFFF'])
    expect(formatLsn(defined(parseLsn(text)))).toBe(text)
  expect((parseLsn('1/0') ?? 0n) > (parseLsn('0/FFFFFFFF') ?? 0n)).toBe(true)
  for (const text of ['', '1', '/', '1/', '1/g', '100000000/0', '1/0 ', null])
    expect(parseLsn(text)).toBeUndefined()
})

test('simultaneous callers share a call that begins after them, never one that has begun', async () => {
  const calls: PromiseWithResolvers<number>[] = []
  const shared = shareNext(async () => {
    const call = Promise.withResolvers<number>()
    calls.push(call)
    return call.promise
  })
  const first = shared()
  await Promise.resolve()
  const [second, third] = [shared(), shared()]
  expect(calls).toHaveLength(1)
  calls[0]?.resolve(1)
  expect(await first).toBe(1)
  await expect.poll(() => calls.length).toBe(2)
  calls[1]?.resolve(2)
  expect([await second, await third]).toEqual([2, 2])
  const failed = shared()
  await expect.poll(() => calls.length).toBe(3)
  calls[2]?.reject(new Error('gone'))
  await expect(failed).rejects.toThrow('gone')
  const last = shared()
  await expect.poll(() => calls.length).toBe(4)
  calls[3]?.resolve(4)
  expect(await last).toBe(4)
})
