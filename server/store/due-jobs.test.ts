// Workers find jobs of other processes by one statement for all queues.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { bothDatabases, openWorld } from '#server/testing/world.ts'
import { openDueJobs } from './due-jobs.ts'
import { openJobs } from './jobs.ts'

afterEach(() => void vi.useRealTimers())

const fail = (error: Error): never => {
  throw error
}

/** Runs the checks of the next `ms` of a fake clock. */
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('only queues that are watched are checked, every two seconds, until the check is stopped', async () => {
  vi.useFakeTimers()
  const checked: unknown[] = []
  const due: string[] = []
  const sql = {
    executeSql: async (_: string, values: readonly unknown[] = []) => {
      checked.push(values[0])
      return { rows: [{ name: 'media.remove' }] }
    },
  }
  const jobs = openDueJobs(sql, (name) => due.push(name), fail)
  await advance(10_000)
  expect(checked).toEqual([])
  jobs.watch('media.remove')
  jobs.watch('sweep')
  await advance(2000)
  expect([checked, due]).toEqual([[['media.remove', 'sweep']], ['media.remove']])
  await advance(2000)
  expect(due).toEqual(['media.remove', 'media.remove'])
  await jobs.stop()
  await advance(10_000)
  expect(due).toEqual(['media.remove', 'media.remove'])
})

test('a database that does not answer is reported, and the check continues', async () => {
  vi.useFakeTimers()
  const events: string[] = []
  const replies = [Promise.reject(new Error('away')), Promise.resolve({ rows: [{ name: 'sweep' }] })]
  replies[0]?.catch(() => undefined)
  const executeSql = () => replies.shift() ?? Promise.resolve({ rows: [] })
  const jobs = openDueJobs(
    { executeSql },
    (name) => events.push(name),
    (error) => events.push(error.message),
  )
  jobs.watch('sweep')
  await advance(4000)
  expect(events).toEqual(['away', 'sweep'])
  await jobs.stop()
})

describe.each(bothDatabases)('on $kind', ({ kind, available }) => {
  test.skipIf(!available)('a job of another process is run, a postponed one is not', async () => {
    const world = await openWorld({ database: kind })
    const other = await openJobs(world.database, fail)
    const removed: string[] = []
    await world.deps.jobs.work('media.remove', 1, async ({ mediaId }) => void removed.push(mediaId))
    await world.deps.db.transaction(async (tx) => {
      await other.enqueue(tx, 'media.remove', { mediaId: 'later' }, 3600)
      await other.enqueue(tx, 'media.remove', { mediaId: 'now' })
    })
    await expect.poll(() => removed.length > 0).toBeTruthy()
    expect(removed).toEqual(['now'])
    await other.stop()
    await world.close()
  })
})
