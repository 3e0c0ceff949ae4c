// Content shared by another app, until the editor moves it into its draft.
import { newId } from '#contract/ids.ts'
import { transact } from '#device/database/database.ts'
import { parseRow, parseRows } from '#device/database/rows.ts'
import type { Shared } from '#device/database/schema.ts'

/** Shares that no editor opened are deleted after this time, ms. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000
/** How many shares stay, the newest ones: a page of another site can send shares too, and must not fill the device. */
const MAX_SHARES = 3

/**
 * Stores a share, and deletes older ones.
 * @param now milliseconds since 1970
 * @returns its id: the draft that takes it has the same one
 * @throws DOMException `QuotaExceededError` when the device has no room; then nothing was stored
 */
export function storeShared({ text, files }: Pick<Shared, 'text' | 'files'>, now: number): Promise<string> {
  return transact(['shared', 'session'], 'readwrite', async (tx) => {
    const session = parseRow('session', await tx.objectStore('session').get('current'))
    const store = tx.objectStore('shared')
    const rows = parseRows('shared', await store.getAll())
    const newest = rows.toSorted((a, b) => b.at - a.at).slice(0, MAX_SHARES - 1)
    const retained = new Set(newest.filter((it) => it.at > now - MAX_AGE_MS).map((it) => it.id))
    // Rows that cannot be parsed are deleted too.
    for (const key of await store.getAllKeys()) if (!retained.has(key)) await store.delete(key)
    const id = newId()
    await store.put({ id, ownerId: session?.user.id ?? null, text, files: [...files], at: now })
    return id
  })
}

/** Reads the share of this draft, if it belongs to this person or has no owner. */
export function readShared(id: string, ownerId: string): Promise<Shared | undefined> {
  return transact(['shared'], 'readonly', async (tx) => {
    const row = parseRow('shared', await tx.objectStore('shared').get(id))
    return row && (row.ownerId === null || row.ownerId === ownerId) ? row : undefined
  })
}

/** Deletes a share once its draft has all of it. */
export function dropShared(id: string): Promise<void> {
  return transact(['shared'], 'readwrite', (tx) => tx.objectStore('shared').delete(id))
}
