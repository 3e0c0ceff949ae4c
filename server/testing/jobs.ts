// Waits for the jobs of a test server.
import { vi } from 'vitest'
import { indexMissing } from '#server/modules/search/index-missing.ts'
import type { World } from './world.ts'

/** Resolves when no job of this queue is left; at once where the server runs no jobs. */
export async function jobsDone({ database, hasWorker }: World, queue: string): Promise<void> {
  if (!hasWorker) return
  const left = `select from pgboss.job where name = $1 and state < 'completed' limit 1`
  const isDone = async () => (await database.executeSql(left, [queue])).rows.length === 0
  await vi.waitUntil(isDone, { timeout: 60_000, interval: 20 })
}

/** Indexes what has no entry in the search index, as a server does at its start. */
export const indexMissingIn = ({ deps }: World): Promise<void> => indexMissing(deps)
