// Finds files whose bytes are lost and that must be picked again.
import { isCopying } from '#device/files/import-file.ts'
import { findUnheld } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'

/** Ids of incomplete rows that no page of this device copies or holds. */
export async function findLost(rows: readonly Media[]): Promise<Set<string>> {
  const lost = await findUnheld(rows)
  for (const row of rows) {
    if (row.bytes.is === 'copying' && !(await isCopying(row.id))) lost.add(row.id)
  }
  return lost
}
