// Until when a job waits, and why, as the device stores it.
import * as v from 'valibot'

/**
 * Why a job waits, where a reason beyond the connection is known. `storage_full`: the server's disk has no room.
 * `foreign`: something else answered in the server's place.
 */
export type WaitReason = 'storage_full' | 'foreign'

/** No step before `until`, ms since 1970. `told`: the server asked for it (Retry-After), so only the person ends it early. */
export const wait = v.object({
  until: v.number(),
  told: v.boolean(),
  /** A reason of a newer build is no reason to set the row aside. */
  why: v.fallback(v.optional(v.picklist(['storage_full'])), undefined),
  /** A key of its own: builds before this one set rows aside whose `why` they do not know. */
  foreign: v.optional(v.boolean()),
  /** The server did not accept the token. */
  refused: v.optional(v.boolean()),
})
