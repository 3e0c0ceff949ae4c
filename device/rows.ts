// Rows come out of the database unbelieved: parsed, or set aside and reported.
import * as v from 'valibot'
import { transact } from './database.ts'
import { rowSchemas, type RowOf, type RowStore } from './stores.ts'

/** Parses a row; `undefined` when there is none or it does not fit. Never throws. */
export function believe<S extends RowStore>(store: S, raw: unknown): RowOf<S> | undefined {
  if (raw === undefined) return undefined
  const parsed = v.safeParse(rowSchemas[store], raw)
  return parsed.success ? parsed.output : undefined
}

/** Parses many rows: those that fit, and the keys of those that do not. */
export function sift<S extends RowStore>(
  store: S,
  raws: readonly unknown[],
): { rows: RowOf<S>[]; broken: unknown[] } {
  const rows: RowOf<S>[] = []
  const broken: unknown[] = []
  for (const raw of raws) {
    const row = believe(store, raw)
    if (row) rows.push(row)
    else broken.push(raw)
  }
  return { rows, broken }
}

/** Moves rows that do not fit their schema out of the way, in one transaction with their copies. */
export async function setAside(
  store: Exclude<RowStore, 'chunks' | 'session' | 'answers' | 'pictures' | 'shared'>,
  rows: readonly unknown[],
  at: number,
) {
  if (rows.length === 0) return
  await transact([store, 'broken'], 'readwrite', async (tx) => {
    for (const row of rows) {
      const key = (row as { id?: unknown } | null)?.id
      if (typeof key !== 'string') continue
      await tx.objectStore('broken').add({ store, key, row, at })
      await tx.objectStore(store).delete(key)
    }
  })
}

/** How many rows were set aside on this device. */
export function countBroken(): Promise<number> {
  return transact(['broken'], 'readonly', (tx) => tx.objectStore('broken').count())
}
