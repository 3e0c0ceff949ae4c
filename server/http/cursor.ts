// Cursors of lists: the place where the next page begins, as opaque text.
import * as v from 'valibot'
import { id, instant } from '#contract/ids.ts'
import { ApiError } from './errors.ts'

/** The place in a list ordered by time and id. */
export interface TimePlace {
  readonly at: Date
  readonly id: string
}

export interface Cursor<Place> {
  write(place: Place): string
  /**
   * @param field the name of the cursor in the query
   * @returns undefined without a cursor
   * @throws ApiError `invalid` with `malformed` at the field, for text that `write` cannot have made
   */
  read(cursor: string | undefined, field?: string): Place | undefined
  /**
   * Takes one page of rows, which were read with one more than a page has.
   * @param placeOf returns the place of a row
   * @returns the rows of the page, and the cursor of the next one; null at the end
   */
  pageOf<Row>(
    rows: readonly Row[],
    size: number,
    placeOf: (row: Row) => Place,
  ): { shown: Row[]; next: string | null }
}

/**
 * Creates a cursor: the base64url form of a JSON array. Devices store cursors, so a list that changes the array must still
 * read the former one.
 * @param schema the array
 * @param format converts a place to the array
 * @param parse converts the array to a place
 */
export function createCursor<Parts, Place>(
  schema: v.GenericSchema<unknown, Parts>,
  format: (place: Place) => Parts,
  parse: (parts: Parts) => Place,
): Cursor<Place> {
  const json = v.pipe(v.string(), v.parseJson(), schema)
  const write = (place: Place): string => Buffer.from(JSON.stringify(format(place))).toString('base64url')
  return {
    write,
    read(cursor, field = 'cursor') {
      if (cursor === undefined) return undefined
      const parsed = v.safeParse(json, Buffer.from(cursor, 'base64url').toString())
      if (!parsed.success) throw new ApiError('invalid', { [field]: 'malformed' })
      return parse(parsed.output)
    },
    pageOf(rows, size, placeOf) {
      const shown = rows.slice(0, size)
      const last = rows.length > size ? shown.at(-1) : undefined
      return { shown, next: last === undefined ? null : write(placeOf(last)) }
    },
  }
}

/** The cursor of every list that is ordered by time and id. */
export const timeCursor = createCursor<readonly [string, string], TimePlace>(
  v.tuple([instant, id]),
  (place) => [place.at.toISOString(), place.id],
  ([at, rowId]) => ({ at: new Date(at), id: rowId }),
)
