// The port to the device's queue for code beneath it; `sw-bridge.ts` connects it.
import type { MemoryPage, MemoryRows } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'

/** Sends the mutations in memory. */
export interface MemoryRunner {
  /** Runs until nothing is left that could continue by itself. */
  drain: () => Promise<void>
  /** The network, the room or the person is back: tries waiting mutations now. */
  nudge: () => Promise<void>
  /** The rows have changed. */
  wake: () => void
}

export const queuePort: {
  /** Something was queued: it is to be sent, with this page open or not. */
  ring: () => void
  /** This page goes, and these mutations of a person's may not be on the device yet: the worker stores them. */
  leave: (userId: string, acts: readonly (NewMutation & { readonly id: string })[]) => void
  /** Makes the runner of mutations that this page alone has. */
  runMemory: (rows: MemoryRows, page: MemoryPage) => Promise<MemoryRunner>
} = {
  ring: () => undefined,
  leave: () => undefined,
  runMemory: () => Promise.reject(new Error('no queue here')),
}
