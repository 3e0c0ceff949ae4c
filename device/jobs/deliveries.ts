// Deliveries: everything of this device that is on its way to the server.
import { transact } from '#device/database/database.ts'
import { listJobs } from './jobs.ts'
import { parseRows } from '#device/database/rows.ts'
import type { Delivery } from '#device/database/schema.ts'

/** All this person's deliveries: submitted posts first, then what is sent early; each oldest first. */
export async function listDeliveries(ownerId: string): Promise<Delivery[]> {
  const rows = await transact(['early'], 'readonly', async (tx) =>
    parseRows('early', await tx.objectStore('early').index('owner').getAll(ownerId)),
  )
  // Read after the early ones: a draft submitted in between stands in both lists, never in none.
  const jobs = await listJobs(ownerId)
  const early = rows.filter((row) => !jobs.some((job) => job.id === row.id))
  return [...jobs, ...early.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))]
}
