// Lists every job with files that this device has for a person.
import { transact } from '#device/database/database.ts'
import { listJobs } from './jobs.ts'
import { parseRows } from '#device/database/rows.ts'
import type { FileJob } from './job-rows.ts'

/** This person's jobs with files: submitted ones first, then preuploads; each oldest first. */
export async function listDeliveries(ownerId: string): Promise<FileJob[]> {
  const rows = await transact(['early'], 'readonly', async (tx) =>
    parseRows('early', await tx.objectStore('early').index('owner').getAll(ownerId)),
  )
  // Jobs are read after preuploads: a draft submitted in between is in both lists, never in none.
  const jobs = await listJobs(ownerId)
  const preuploads = rows.filter((row) => !jobs.some((job) => job.id === row.id))
  return [...jobs, ...preuploads.toSorted((a, b) => a.createdAt - b.createdAt)]
}
