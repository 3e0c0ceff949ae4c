// A month or a day in an address, by the time in Asia/Tokyo.
import * as v from 'valibot'

/** `YYYY-MM`. */
export const month = v.pipe(
  v.string(),
  v.maxLength(7, 'malformed'),
  v.regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'malformed'),
)

/** `YYYY-MM-DD` by its digits, for addresses; the server decides whether there is such a day. */
export const dayText = v.pipe(v.string(), v.maxLength(10), v.regex(/^(19|20)\d\d-[01]\d-[0-3]\d$/))
