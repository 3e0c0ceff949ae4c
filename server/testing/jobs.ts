// Waits for the jobs of a test server.
import { vi } from 'vitest'
import type { World } from './world.ts'

/** Resolves when no job of this queue is left; at once where the server runs no jobs. */
export async function jobsDone({ database, hasWorker }: World, queue: string): Promise<void> {
  if (!hasWorker) return
  const left = `select from pgboss.job where name = $1 and state < 'completed' limit 1`
  const isDone = async () => (await database.executeSql(left, [queue])).rows.length === 0
  await vi.waitUntil(isDone, { timeout: 30_000, interval: 20 })
}
