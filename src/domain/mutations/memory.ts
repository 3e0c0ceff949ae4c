// Mutations in the page's memory, sent from here when the device has no room.
import { createMemoryRows, type MemoryPage } from '#device/mutations/memory-rows.ts'
import type { NewMutation } from '#device/mutations/mutations.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import { queuePort } from './queue-port.ts'

export interface Memory {
  /** The mutations, oldest first; refused ones stay until they are dropped. */
  all: () => readonly MutationJob[]
  add: (ownerId: string, mutation: NewMutation) => void
  drop: (id: string) => void
  /** Removes an answered mutation and earlier ones of the same target. */
  dropUpTo: (id: string) => void
  dropAbout: (about: string) => void
  /** Removes the mutations of every other person. */
  retain: (ownerId: string | undefined) => void
  /** Tries all mutations now, when the network or the room may be back. */
  retryNow: () => void
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
    retryNow: nudge,
  }
}
