// Versions of counts: which of two replies or live messages is later.
import * as v from 'valibot'

/** Grows with each change of what is counted. Earlier servers send none. */
export const countVersion = v.optional(v.number())

interface Versioned {
  readonly version?: number | undefined
}

/** Whether counts are not from before others. Counts of an earlier server are taken as they come. */
export const isLater = ({ version: it }: Versioned, { version: other }: Versioned): boolean =>
  it === undefined || other === undefined || it >= other
