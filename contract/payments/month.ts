// A month in a filter, by the time in Asia/Tokyo.
import * as v from 'valibot'

/** `YYYY-MM`. */
export const month = v.pipe(
  v.string(),
  v.maxLength(7, 'malformed'),
  v.regex(/^(19|20)\d\d-(0[1-9]|1[0-2])$/, 'malformed'),
)
