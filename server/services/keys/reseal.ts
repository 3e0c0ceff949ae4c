// Encrypts by the present master key what earlier ones have sealed.
import { getTableName } from 'drizzle-orm'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import {
  listSealed,
  replaceSealed,
  type SealedColumn,
  sealedColumns,
  type SealedValue,
} from '#server/store/keys/sealed-columns.ts'

interface Ports {
  readonly db: Db
  readonly secrets: Secrets
}

export interface SealedCounts {
  /** Values that the present key sealed, among them those that were replaced now. */
  readonly present: number
  /** Values that another key sealed. */
  readonly earlier: number
  /** Values that no key opens: table and key of the row. */
  readonly unreadable: readonly string[]
}

type State = 'present' | 'earlier' | 'unreadable'

/**
 * Goes through every sealed value. Each is replaced by itself, so that an interrupted run goes on where it ended.
 * @param mode `reseal` replaces what another key sealed; `count` changes nothing
 * @param progress called after each value, with the number of values so far
 */
export async function resealAll(
  ports: Ports,
  mode: 'reseal' | 'count',
  progress: (values: number) => void = () => undefined,
): Promise<SealedCounts> {
  const counts = { present: 0, earlier: 0, unreadable: [] as string[] }
  let values = 0
  for (const column of sealedColumns) {
    for await (const value of valuesOf(ports.db, column)) {
      const state = await resealOne(ports, column, value, mode)
      if (state === 'unreadable')
        counts.unreadable.push(`${getTableName(column.table)} ${value.key.join(' ')}`)
      else counts[state] += 1
      values += 1
      progress(values)
    }
  }
  return counts
}

async function* valuesOf(db: Db, column: SealedColumn): AsyncGenerator<SealedValue, void> {
  for (let after: readonly string[] | undefined; ;) {
    const values = await listSealed(db, column, after)
    yield* values
    after = values.at(-1)?.key
    if (after === undefined) return
  }
}

async function resealOne(
  { db, secrets }: Ports,
  column: SealedColumn,
  value: SealedValue,
  mode: 'reseal' | 'count',
): Promise<State> {
  const to = resealed(secrets, column, value)
  if (to === null) return 'unreadable'
  if (to === undefined) return 'present'
  // One that was changed meanwhile may have been sealed by a server that still has the earlier key.
  return mode === 'reseal' && (await replaceSealed(db, column, value, to)) ? 'present' : 'earlier'
}

/** @returns undefined for what the present key has sealed, null for what no key opens */
function resealed(
  secrets: Secrets,
  { purpose, isOwned }: SealedColumn,
  { key, sealed }: SealedValue,
): string | undefined | null {
  try {
    return secrets.reseal(purpose, sealed, isOwned ? key.join(' ') : '')
  } catch {
    return null
  }
}
