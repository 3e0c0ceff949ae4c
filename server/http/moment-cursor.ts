// Cursor of a list ordered by time and id, as opaque text.
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import { ApiError } from './errors.ts'

export interface Place {
  readonly at: Date
  readonly id: string
}

const place = v.pipe(v.string(), v.parseJson(), v.tuple([instant, id]))

export function cursorAt(row: Place): string {
  return Buffer.from(JSON.stringify([row.at.toISOString(), row.id])).toString('base64url')
}

/** Where a list goes on; a cursor that was made up is refused, at the field `name`. */
export function placeOf(cursor: string | undefined, name = 'cursor'): Place | undefined {
  if (cursor === undefined) return undefined
  const parsed = v.safeParse(place, Buffer.from(cursor, 'base64url').toString())
  if (!parsed.success) throw new ApiError('invalid', { [name]: 'malformed' })
  const [at, rowId] = parsed.output
  return { at: new Date(at), id: rowId }
}

/**
 * One page of rows that were read with one more than fits.
 * @returns what stands on the page, and where the next one goes on
 */
export function pageOf<Row extends Place>(
  rows: readonly Row[],
  size: number,
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return { shown, next: last ? cursorAt(last) : null }
}
