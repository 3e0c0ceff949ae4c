// Sends mutations from a page's memory while the device has no room for them.
import type { MemoryPage, MemoryRows } from '#device/mutations/memory-rows.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { mutationKinds } from './kinds.ts'
import type { Clock, MutationApi } from './ports.ts'
import { createRunner, type Runner } from './runner.ts'

interface MemoryRunnerPorts extends Pick<MemoryPage, 'store' | 'session'> {
  rows: MemoryRows
  api: MutationApi
  clock: Clock
}

/** Makes the runner over rows in memory. Before each request it tries to store the row on the device. */
export function createMemoryRunner({ rows, store, session, api, clock }: MemoryRunnerPorts): Runner {
  const jobs = {
    session: async () => session(),
    deliveries: async (ownerId: string) => rows.ready(ownerId),
    change: async (id: string, change: (job: MutationJob) => MutationJob) => rows.change(id, change),
    finish: async ({ id }: { id: string }) => rows.drop(id),
    drop: async (id: string) => rows.drop(id),
  }
  const stored: MutationApi = {
    async mutate(job, signal) {
      if (await store(job)) return { is: 'ok', value: null }
      // Another page or the worker has sent it, or its owner signed out.
      if (!rows.all().some((row) => row.id === job.id)) return { is: 'stopped' }
      return api.mutate(job, signal)
    },
  }
  return createRunner({ store: jobs, clock, lock: (work) => work() }, mutationKinds(stored))
}
