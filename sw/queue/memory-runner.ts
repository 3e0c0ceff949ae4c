// The runner of mutations in a page's memory: the device takes each as soon as it has room, until then it is sent from here.
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

/** Makes the runner over rows in memory. Before each request the device is offered the row. */
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
      // Another page or the worker had it answered, or its person left.
      if (!rows.all().some((row) => row.id === job.id)) return { is: 'stopped' }
      return api.mutate(job, signal)
    },
  }
  return createRunner({ store: jobs, clock, lock: (work) => work() }, mutationKinds(stored))
}
