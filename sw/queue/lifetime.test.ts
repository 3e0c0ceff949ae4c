// The worker's events during a delivery, and the takeover by a new version.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Runner } from './runner.ts'
import { createLifetime } from './lifetime.ts'

/** A runner whose runs end when the test ends them. */
function world() {
  let run: { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } | undefined
  const seen = { drains: 0, halts: 0, ticks: 0, reported: [] as unknown[] }
  const runner: Runner = {
    drain: () => {
      seen.drains += 1
      run ??= Promise.withResolvers<void>()
      return run.promise
    },
    halt: () => void (seen.halts += 1),
    running: () => run !== undefined,
    wake: () => undefined,
    nudge: async () => undefined,
  }
  const end = (error?: Error) => {
    const ending = run
    run = undefined
    if (error) ending?.reject(error)
    else ending?.resolve()
  }
  const lifetime = createLifetime(
    runner,
    async () => void (seen.ticks += 1),
    (error) => seen.reported.push(error),
  )
  return { lifetime, seen, end }
}

/** The state of a promise after the timers have advanced by this many ms. */
async function after(ms: number, work: Promise<void>): Promise<string> {
  let state = 'pending'
  work.then(
    () => (state = 'ended'),
    (error: Error) => (state = error.message),
  )
  await vi.advanceTimersByTimeAsync(ms)
  return state
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('an event ends with the run, at the latest after 25 s', async () => {
  const { lifetime, end } = world()
  const short = lifetime.extend()
  end()
  expect(await after(0, short)).toBe('ended')
  const long = lifetime.extend()
  expect(await after(24_999, long)).toBe('pending')
  expect(await after(1, long)).toBe('ended')
})

test('a sync event ends only with the run, because an early end would count as success', async () => {
  const { lifetime, end } = world()
  const sync = lifetime.extendUntilEmpty()
  expect(await after(120_000, sync)).toBe('pending')
  end()
  expect(await after(0, sync)).toBe('ended')
})

test('a run that fails is reported for an event, and rejects a sync event, which the browser repeats', async () => {
  const { lifetime, seen, end } = world()
  const [event, sync] = [lifetime.extend(), lifetime.extendUntilEmpty()]
  const states = [after(0, event), after(0, sync)]
  end(new Error('database'))
  expect(await Promise.all(states)).toEqual(['ended', 'database'])
  expect(seen.reported).toEqual([new Error('database')])
})

test('pages receive a tick every 10 s while a run lasts, and none after it', async () => {
  const { lifetime, seen, end } = world()
  const event = lifetime.extend()
  await after(20_000, event)
  expect(seen.ticks).toBe(2)
  end()
  await after(60_000, event)
  expect(seen.ticks).toBe(2)
})

test('yielding stops the run and ends every event, and no run starts for 10 s', async () => {
  const { lifetime, seen } = world()
  const [event, sync] = [lifetime.extend(), lifetime.extendUntilEmpty()]
  lifetime.endEvents()
  expect(await Promise.all([after(0, event), after(0, sync)])).toEqual([
    'ended',
    'another version takes over',
  ])
  expect([seen.halts, seen.drains]).toEqual([1, 2])
  await lifetime.extend()
  await expect(lifetime.extendUntilEmpty()).rejects.toThrow('another version takes over')
  expect(seen.drains).toBe(2)
})

test('pages still receive ticks when a run begins at the moment another one ends', async () => {
  const { lifetime, seen, end } = world()
  const first = lifetime.extend()
  end()
  const second = lifetime.extend()
  await after(0, first)
  await after(20_000, second)
  expect([seen.drains, seen.ticks]).toEqual([2, 2])
})

test('yielding again restarts the 10 s', async () => {
  const { lifetime, seen } = world()
  lifetime.endEvents()
  await vi.advanceTimersByTimeAsync(6000)
  lifetime.endEvents()
  await vi.advanceTimersByTimeAsync(6000)
  await lifetime.extend()
  expect(seen.drains).toBe(0)
  await vi.advanceTimersByTimeAsync(4000)
  expect(await after(0, lifetime.extend())).toBe('pending')
  expect(seen.drains).toBe(1)
})

test('the queue continues when no other version started within 10 s', async () => {
  const { lifetime, seen } = world()
  lifetime.endEvents()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await after(0, lifetime.extend())).toBe('pending')
  expect(seen.drains).toBe(1)
})
