// A started worker continues the queue, unless its version waits for an earlier one.
import { describe, expect, test } from 'vitest'
import { listJobs } from '#device/jobs/jobs.ts'
import { aoi, queuePost, runMain } from './testing/run-main.ts'

describe('an active version', () => {
  const { server } = runMain({ state: 'activated', prepare: queuePost })

  test('sends a queued post as soon as any event has started it', async () => {
    await expect.poll(() => listJobs(aoi.id)).toEqual([])
    expect(server.requests).toContain('POST /api/post/add')
  })
})

describe('a version that waits', () => {
  const { worker, server } = runMain({ state: 'installed', prepare: queuePost })

  test('leaves a queued post to the active version, and sends it once it is activated', async () => {
    // A delivery that the start had begun would hold this lock.
    await worker.fire('message', { data: { type: 'person' }, ports: [] }).done
    await worker.scope.navigator.locks.request('todoke-drain', async () => undefined)
    expect(await listJobs(aoi.id)).toHaveLength(1)
    expect(server.requests).toEqual([])
    await worker.fire('activate').done
    await expect.poll(() => listJobs(aoi.id)).toEqual([])
  })
})
