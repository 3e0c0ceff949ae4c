// The queue's ports in a browser: the same in the worker and, where there is none, in the page.
import { type ServerKind, serverKindOf } from '#contract/answer.ts'
import { API_BASE, TUS_PATH } from '#contract/paths.ts'
import {
  changeMutationFacts,
  dropMutation,
  readyMutations,
  renewMutationSource,
} from '#device/mutations/mutations.ts'
import { emitChange } from '#device/database/changes.ts'
import { makeMutations } from './requests/mutations.ts'
import { deviceStore } from './device-store.ts'
import { makePace } from './pace.ts'
import type { Clock, Ports, QueueStore } from './ports.ts'
import { byProtocol, makeChunked } from './requests/chunked.ts'
import { makeIdentity } from './requests/identity.ts'
import { makePublish } from './requests/publish.ts'
import type { Caller } from './requests/request.ts'
import { makeTus } from './requests/tus.ts'

export const clock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (until, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      // The longest a browser's timer takes; whoever sleeps looks again when it wakes.
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
export function callerHere(): Pick<Caller, 'fetch' | 'clock'> & { server: ServerKind } {
  const server = serverKindOf(import.meta.env['VITE_SERVER'])
  return { fetch: (url: string, init: RequestInit) => fetch(url, init), clock, server }
}

/** Ports on this device's database, network and locks. */
function uploadsHere(origin: string): Ports {
  const caller = { ...callerHere(), store: deviceStore }
  const api = new URL(import.meta.env['VITE_API_BASE'] ?? API_BASE, origin).href
  const endpoint = new URL(import.meta.env['VITE_UPLOAD_BASE'] ?? TUS_PATH, origin).href
  return {
    store: deviceStore,
    clock,
    lock: (work) => navigator.locks.request('todoke-drain', work),
    api: byProtocol(makeTus({ ...caller, pace: makePace(), endpoint }), makeChunked({ ...caller, api }), {
      ...makePublish({ ...caller, api }),
      ...makeIdentity({ ...caller, api }),
      ...makeMutations({
        ...caller,
        api,
        heard: (id, reply) => emitChange({ store: 'acts', id, reply }),
        renumber: () => renewMutationSource(Date.now()),
      }),
    }),
  }
}

const actStore: QueueStore = {
  ...deviceStore,
  deliveries: readyMutations,
  changeFacts: changeMutationFacts,
  finish: (job) => dropMutation(job.id),
  drop: dropMutation,
}

/**
 * This device's queues: what is sent with files, and the acts beside them.
 * @param origin where relative base addresses count from
 */
export function queuesHere(origin: string): { uploads: Ports; acts: Ports } {
  const uploads = uploadsHere(origin)
  return {
    uploads,
    acts: {
      ...uploads,
      store: actStore,
      lock: (work) => navigator.locks.request('todoke-acts', work),
      offline: () => !navigator.onLine,
    },
  }
}
