// The row of a wait: until when a job waits, and why.
import * as v from 'valibot'

/**
 * Why a job waits, where a reason beyond the connection is known. `storage_full`: the server's disk has no room.
 * `foreign`: something else answered in the server's place.
 */
export type WaitReason = 'storage_full' | 'foreign'

/** No step before `until`, ms since 1970. `told`: the server requested the wait (Retry-After), so only the person can end it. */
export const wait = v.object({
  until: v.number(),
  told: v.boolean(),
  /** A reason of a newer build must not make the row unreadable. */
  why: v.fallback(v.optional(v.picklist(['storage_full'])), undefined),
  /** A separate key: older builds cannot read rows with an unknown `why`. */
  foreign: v.optional(v.boolean()),
  /** The server did not accept the token. */
  refused: v.optional(v.boolean()),
})
