// Files whose bytes are lost: their copying was interrupted, or the page that held them was closed.
import { isCopying } from '#device/files/import-file.ts'
import { findUnheld } from '#device/files/page-held.ts'
import type { Media } from '#device/database/schema.ts'

/** Ids of rows that are incomplete and that no page of this device is copying or keeping: they can only be picked again. */
export async function findLost(rows: readonly Media[]): Promise<Set<string>> {
  const lost = await findUnheld(rows)
  for (const row of rows) {
    if (row.bytes.is === 'copying' && !(await isCopying(row.id))) lost.add(row.id)
  }
  return lost
}
