// Parses rows of the device's database; those that do not fit are left alone.
import * as v from 'valibot'
import { rowSchemas, type RowOf, type RowStore } from './stores.ts'

/** Parses a row; `undefined` when there is none or it does not fit. Never throws. */
export function parseRow<S extends RowStore>(store: S, raw: unknown): RowOf<S> | undefined {
  if (raw === undefined) return undefined
  const parsed = v.safeParse(rowSchemas[store], raw)
  return parsed.success ? parsed.output : undefined
}

/** Parses many rows and gives those that fit. Others stay where they are: another version of the app may read them. */
export function parseRows<S extends RowStore>(store: S, raws: readonly unknown[]): RowOf<S>[] {
  return raws.flatMap((raw) => parseRow(store, raw) ?? [])
}
