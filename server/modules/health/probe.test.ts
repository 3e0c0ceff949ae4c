// How often the probe checks its dependencies, and its result while a check hangs.
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { FRESH, createProbe } from './probe.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function createCounted(database: () => Promise<void>) {
  const counts = { database: 0, storage: 0 }
  const probe = createProbe({
    database: () => ((counts.database += 1), database()),
    storage: async () => void (counts.storage += 1),
    clock: Date.now,
  })
  return { probe, counts }
}

test('fifty simultaneous callers share one check, and callers of the next second its result', async () => {
  const { probe, counts } = createCounted(async () => undefined)
  const at = Date.now()
  const results = await Promise.all(Array.from({ length: 50 }, probe))
  vi.advanceTimersByTime(FRESH - 1)
  results.push(await probe())
  expect(new Set(results.map((it) => JSON.stringify(it))).size).toBe(1)
  expect(results[0]).toEqual({ database: true, storage: true, stale: false, at })
  expect(counts).toEqual({ database: 1, storage: 1 })
})

test('after a second the probe checks again', async () => {
  const { probe, counts } = createCounted(async () => undefined)
  await probe()
  vi.advanceTimersByTime(FRESH)
  expect((await probe()).at).toBe(Date.now())
  expect(counts.database).toBe(2)
})

test('while a check hangs, the last result is returned as stale, until the check times out', async () => {
  let hang = false
  const { probe, counts } = createCounted(() => (hang ? new Promise(() => undefined) : Promise.resolve()))
  await probe()
  hang = true
  vi.advanceTimersByTime(FRESH)
  const first = probe()
  const second = probe()
  await vi.advanceTimersByTimeAsync(500)
  expect([(await first).stale, (await second).stale, (await first).database]).toEqual([true, true, true])
  await vi.advanceTimersByTimeAsync(2500)
  expect(await probe()).toMatchObject({ database: false, storage: true, stale: false })
  expect(counts.database).toBe(2)
})

test('a dependency whose check fails is reported as failing', async () => {
  const { probe } = createCounted(() => Promise.reject(new Error('gone')))
  expect(await probe()).toMatchObject({ database: false, storage: true })
})
