// A permanent failure is logged on the console (specification section 8).
import { afterEach, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { QueueApi } from './requests/queue-api.ts'
import { postJob } from '#device/testing/jobs.ts'
import { jobAfter } from '#sw/testing/job-after.ts'
import { queue } from '#sw/testing/one-job.ts'

const files = [newId(), newId()].map((id) => ({ id, size: 10 }))

/**
 * Runs a post whose calls end as given, and returns the lines of the console.
 * @param sent whether its files are on the server already
 */
async function logged(sent: boolean, api: Partial<QueueApi>): Promise<unknown[][]> {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const uploaded = files.map(({ id, size }) => ({ type: 'accepted', fileId: id, offset: size }) as const)
  const { runner } = queue(jobAfter(postJob(files), ...(sent ? uploaded : [])), api)
  await runner.drain()
  return log.mock.calls
}

afterEach(() => vi.restoreAllMocks())

test('a post that is refused is logged as an upload error, once, with its code', async () => {
  const calls = await logged(true, { addPost: async () => ({ is: 'refused', code: 'forbidden' }) })
  expect(calls).toEqual([['Upload error!', 'posted', 'forbidden']])
})

test('a file that is refused is logged, and when all are, the post too', async () => {
  const calls = await logged(false, { send: async () => ({ is: 'refused', code: 'too_large' }) })
  expect(calls[0]).toEqual(['Upload error!', 'posted', 'too_large'])
  expect(calls.at(-1)).toEqual(['Upload error!', 'posted', 'too_large', 'too_large', 'too_large'])
  expect(calls).toHaveLength(2)
})
