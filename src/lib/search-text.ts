// A text or an id of a page's address, as the schema of its search.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

/** The page examines the text: schemas of searches are in the first download. Other values are undefined. */
export const searchText = v.optional(v.fallback(v.optional(v.pipe(v.string(), v.maxLength(200))), undefined))

/** Other values are undefined. */
export const searchId = v.optional(v.fallback(v.optional(id), undefined))
