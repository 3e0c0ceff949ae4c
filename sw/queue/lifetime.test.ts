// How long the worker's events last while it delivers, and how it lets a new version take over.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Runner } from './runner.ts'
import { createLifetime } from './lifetime.ts'

/** A runner whose runs end when the test says so. */
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

/** What became of a promise, once the timers have gone on by so many ms. */
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

test('an event ends with the run, and after 25 s at the latest', async () => {
  const { lifetime, end } = world()
  const short = lifetime.hold()
  end()
  expect(await after(0, short)).toBe('ended')
  const long = lifetime.hold()
  expect(await after(24_999, long)).toBe('pending')
  expect(await after(1, long)).toBe('ended')
})

test('a sync event ends with the run alone: an early end would count as success', async () => {
  const { lifetime, end } = world()
  const sync = lifetime.holdAll()
  expect(await after(120_000, sync)).toBe('pending')
  end()
  expect(await after(0, sync)).toBe('ended')
})

test('a run that fails is reported to an event, and rejects a sync event, which comes again', async () => {
  const { lifetime, seen, end } = world()
  const [event, sync] = [lifetime.hold(), lifetime.holdAll()]
  const states = [after(0, event), after(0, sync)]
  end(new Error('database'))
  expect(await Promise.all(states)).toEqual(['ended', 'database'])
  expect(seen.reported).toEqual([new Error('database')])
})

test('pages are asked every 10 s while a run lasts, and not after it', async () => {
  const { lifetime, seen, end } = world()
  const event = lifetime.hold()
  await after(20_000, event)
  expect(seen.ticks).toBe(2)
  end()
  await after(60_000, event)
  expect(seen.ticks).toBe(2)
})

test('stepping aside stops the run and ends every event; nothing is begun for 10 s', async () => {
  const { lifetime, seen } = world()
  const [event, sync] = [lifetime.hold(), lifetime.holdAll()]
  lifetime.stepAside()
  expect(await Promise.all([after(0, event), after(0, sync)])).toEqual([
    'ended',
    'another version takes over',
  ])
  expect([seen.halts, seen.drains]).toEqual([1, 2])
  await lifetime.hold()
  await expect(lifetime.holdAll()).rejects.toThrow('another version takes over')
  expect(seen.drains).toBe(2)
})

test('pages are asked on while a run begins at the moment another one ends', async () => {
  const { lifetime, seen, end } = world()
  const first = lifetime.hold()
  end()
  const second = lifetime.hold()
  await after(0, first)
  await after(20_000, second)
  expect([seen.drains, seen.ticks]).toEqual([2, 2])
})

test('stepping aside again begins the 10 s again', async () => {
  const { lifetime, seen } = world()
  lifetime.stepAside()
  await vi.advanceTimersByTimeAsync(6000)
  lifetime.stepAside()
  await vi.advanceTimersByTimeAsync(6000)
  await lifetime.hold()
  expect(seen.drains).toBe(0)
  await vi.advanceTimersByTimeAsync(4000)
  expect(await after(0, lifetime.hold())).toBe('pending')
  expect(seen.drains).toBe(1)
})

test('where no other version came within 10 s the queue goes on', async () => {
  const { lifetime, seen } = world()
  lifetime.stepAside()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await after(0, lifetime.hold())).toBe('pending')
  expect(seen.drains).toBe(1)
})
