// How often health checks the dependencies, and its reply while they are silent.
import { beforeEach, afterEach, expect, test, vi } from 'vitest'
import { FRESH, createProbe } from './probe.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function asked(database: () => Promise<void>) {
  const counts = { database: 0, storage: 0 }
  const probe = createProbe({
    database: () => ((counts.database += 1), database()),
    storage: async () => void (counts.storage += 1),
    clock: Date.now,
  })
  return { probe, counts }
}

test('fifty callers at once share one check, and those of the next second its answer', async () => {
  const { probe, counts } = asked(async () => undefined)
  const at = Date.now()
  const said = await Promise.all(Array.from({ length: 50 }, probe))
  vi.advanceTimersByTime(FRESH - 1)
  said.push(await probe())
  expect(new Set(said.map((it) => JSON.stringify(it))).size).toBe(1)
  expect(said[0]).toEqual({ database: true, storage: true, stale: false, at })
  expect(counts).toEqual({ database: 1, storage: 1 })
})

test('after a second it asks again', async () => {
  const { probe, counts } = asked(async () => undefined)
  await probe()
  vi.advanceTimersByTime(FRESH)
  expect((await probe()).at).toBe(Date.now())
  expect(counts.database).toBe(2)
})

test('while a check hangs the last answer is given and said to be stale; then the check has failed', async () => {
  let hang = false
  const { probe, counts } = asked(() => (hang ? new Promise(() => undefined) : Promise.resolve()))
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

test('what fails is said as failing', async () => {
  const { probe } = asked(() => Promise.reject(new Error('gone')))
  expect(await probe()).toMatchObject({ database: false, storage: true })
})
