// The database is read rarely for scrapes, and not waited for without end.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Scraped } from '#server/store/staff/scrape.ts'
import { createDatabaseReadings, FRESH, READ_TIME } from './database-readings.ts'

type Read = () => Promise<Scraped>

const nothing: Scraped = { jobs: [], payments: new Map(), uploads: { open: 0, bytes: 0 } }
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const successOf = async (readings: ReturnType<ReturnType<typeof createDatabaseReadings>>) =>
  (await readings).find((it) => it.name === 'todoke_database_read_success')?.value

test('any number of scrapes within ten seconds read once', async () => {
  const read = vi.fn<Read>(async () => nothing)
  const readings = createDatabaseReadings({ read, clock: Date.now })
  await Promise.all([readings(), readings()])
  vi.advanceTimersByTime(FRESH - 1)
  await readings()
  expect(read).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(1)
  await readings()
  expect(read).toHaveBeenCalledTimes(2)
})

test('a reading that hangs is given up for each scrape, and not begun again', async () => {
  const hanging = Promise.withResolvers<Scraped>()
  const read = vi.fn<Read>(() => hanging.promise)
  const readings = createDatabaseReadings({ read, clock: Date.now })
  for (const _ of [1, 2]) {
    const success = successOf(readings())
    await vi.advanceTimersByTimeAsync(READ_TIME)
    expect(await success).toBe(0)
  }
  expect(read).toHaveBeenCalledTimes(1)
  hanging.resolve(nothing)
  expect(await successOf(readings())).toBe(1)
})

test('a failure is not remembered', async () => {
  const read = vi.fn<Read>(async () => nothing).mockRejectedValueOnce(new Error('no database'))
  const readings = createDatabaseReadings({ read, clock: Date.now })
  expect([await successOf(readings()), await successOf(readings())]).toEqual([0, 1])
})
