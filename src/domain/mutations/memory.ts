// Mutations that this page alone has: the device has no room for them, so they are sent from here.
import { createMemoryRows, type MemoryPage } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { queuePort } from './queue-port.ts'

export interface Memory {
  /** Oldest first; refused ones stay until they are dropped. */
  all: () => readonly MutationJob[]
  add: (ownerId: string, mutation: NewMutation) => void
  drop: (id: string) => void
  /** The server has answered this one: removes it, and earlier ones about the same target. */
  dropUpTo: (id: string) => void
  dropAbout: (about: string) => void
  /** Removes the mutations of every other person. */
  retain: (ownerId: string | undefined) => void
  /** The network or the room may be back: tries all now. */
  nudge: () => void
}

/** @param changed called after each change of the rows */
export async function openMemory(page: MemoryPage, changed: () => void): Promise<Memory> {
  const rows = createMemoryRows(changed)
  const runner = await queuePort.runMemory(rows, page)
  const nudge = () => {
    runner
      .nudge()
      .then(runner.drain)
      .catch((error: unknown) => console.error('Upload error!', error))
  }
  return {
    ...rows,
    add(ownerId, mutation) {
      rows.add(ownerId, mutation, Date.now())
      nudge()
    },
    retain(ownerId) {
      rows.retain(ownerId)
      runner.wake()
    },
    nudge,
  }
}
