// Files whose copying to the device ended early: they can only be picked again.
import { isCopying } from '#device/copy.ts'
import type { Media } from '#device/schema.ts'

/** A row younger than this may belong to a copying that is about to begin, ms. */
const YOUNG_MS = 2000

/** Ids of rows that are incomplete and that no page of this device is copying. */
export async function lostAmong(rows: readonly Media[]): Promise<Set<string>> {
  const lost = new Set<string>()
  for (const row of rows) {
    const idle = row.bytes.is === 'copying' && Date.now() - row.createdAt > YOUNG_MS
    if (idle && !(await isCopying(row.id))) lost.add(row.id)
  }
  return lost
}
