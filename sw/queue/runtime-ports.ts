// The queues of this device, in the worker or, without one, in the page.
import { type ServerKind, serverKindOf } from '#contract/response.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import {
  changeMutation,
  dropMutation,
  readyMutations,
  renewMutationSource,
} from '#device/mutations/mutations.ts'
import { emitChange } from '#device/database/changes.ts'
import { deviceStore } from './device-store.ts'
import type { Carrier } from './carrier.ts'
import { createPace } from './pace.ts'
import { combineRunners } from './combine-runners.ts'
import type { FileJob, MutationJob } from '#device/jobs/job-rows.ts'
import type { BoundKind } from './kind.ts'
import { fileKinds, mutationKinds } from './kinds.ts'
import type { Clock, JobStore, Ports } from './ports.ts'
import { createRunner, type Runner } from './runner.ts'
import { createChunkedApi } from './requests/chunked.ts'
import { byProtocol, createRestApi, type QueueApi } from './requests/queue-api.ts'
import type { Caller } from './requests/request.ts'
import { createTusApi } from './requests/tus.ts'

export const clock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (until, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      // The longest that a browser's timer takes; the caller looks again when it wakes.
      const timer = setTimeout(done, Math.min(2 ** 31 - 1, Math.max(0, until - Date.now())))
      signal.addEventListener('abort', done, { once: true })
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
    }),
}

/** What every call of the queue needs in this runtime. */
export function runtimeCaller(): Pick<Caller, 'fetch' | 'clock'> & { server: ServerKind } {
  const server = serverKindOf(import.meta.env['VITE_SERVER'])
  return { fetch: (url: string, init: RequestInit) => fetch(url, init), clock, server }
}

/** Every call of the queue to this build's server. */
function runtimeApi(origin: string, carrier: Carrier | undefined): QueueApi {
  const caller = { ...runtimeCaller(), store: deviceStore }
  const api = new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href
  const endpoint = new URL(import.meta.env['VITE_UPLOAD_BASE'] ?? TUS_PATH, origin).href
  return byProtocol(
    createTusApi({ ...caller, pace: createPace(), endpoint, ...(carrier && { carrier }) }),
    createChunkedApi({ ...caller, api }),
    createRestApi({
      ...caller,
      api,
      onReply: ({ id, ownerId, form: { mutation } }, reply) =>
        emitChange({ store: 'acts', id, answered: { ownerId, mutation, reply } }),
      renumber: () => renewMutationSource(Date.now()),
    }),
  )
}

const mutationStore: JobStore<MutationJob> = {
  session: deviceStore.session,
  deliveries: readyMutations,
  change: changeMutation,
  finish: (job) => dropMutation(job.id),
  drop: dropMutation,
}

/** The ports of this device's queues, and the kinds of their jobs. */
export interface DeviceQueues {
  files: { ports: Ports; kinds: readonly BoundKind<FileJob>[] }
  mutations: { ports: Ports<MutationJob>; kinds: readonly BoundKind<MutationJob>[] }
}

/**
 * This device's queues: jobs with files, and mutations beside them.
 * @param origin what relative base addresses are relative to
 */
export function deviceQueues(origin: string, carrier?: Carrier): DeviceQueues {
  const api = runtimeApi(origin, carrier)
  return {
    files: {
      ports: { store: deviceStore, clock, lock: (work) => navigator.locks.request('todoke-drain', work) },
      kinds: fileKinds(api),
    },
    mutations: {
      ports: {
        store: mutationStore,
        clock,
        lock: (work) => navigator.locks.request('todoke-acts', work),
        offline: () => !navigator.onLine,
      },
      kinds: mutationKinds(api),
    },
  }
}

/** What only the worker has. */
export interface WorkerPorts {
  /** Shows a notice outside the app. */
  readonly notify?: NonNullable<Ports['notify']>
  readonly carrier?: Carrier
}

/**
 * One runner over this device's queues.
 */
export function createDeviceRunner(origin: string, { notify, carrier }: WorkerPorts = {}): Runner {
  const { files, mutations } = deviceQueues(origin, carrier)
  return combineRunners([
    createRunner({ ...files.ports, ...(notify && { notify }) }, files.kinds),
    createRunner(mutations.ports, mutations.kinds),
  ])
}
