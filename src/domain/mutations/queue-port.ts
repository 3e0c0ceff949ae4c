// The port to the device's queue for lower code, connected by `sw-bridge.ts`.
import type { MemoryPage, MemoryRows } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'

/** The runner of mutations in memory. */
export interface MemoryRunner {
  /** Runs until no mutation can continue by itself. */
  drain: () => Promise<void>
  /** Tries waiting mutations now, when network, room or session is back. */
  nudge: () => Promise<void>
  /** Reports that the rows have changed. */
  wake: () => void
}

export const queuePort: {
  /** Starts the delivery of queued jobs, even if this page is closed. */
  deliver: () => void
  /** Lets the worker store mutations that a closing page may not have stored. */
  storeOnLeave: (userId: string, mutations: readonly (NewMutation & { readonly id: string })[]) => void
  /** Creates the runner of mutations in memory. */
  runMemory: (rows: MemoryRows, page: MemoryPage) => Promise<MemoryRunner>
} = {
  deliver: () => undefined,
  storeOnLeave: () => undefined,
  runMemory: () => Promise.reject(new Error('no queue here')),
}
