// Reads are sent once more after some statuses (section 9 of the specification).
import type { ReceivedResponse } from './response.ts'
import { retryAfterOf } from './retry-after.ts'

const repeatedStatuses = new Set([408, 409, 425, 429, 500, 502, 503, 504])
/** Without `Retry-After`, ms: devices that were refused together do not return together. */
const [SHORTEST_MS, LONGEST_MS] = [100, 400]

export interface RepeatFacts {
  /** Milliseconds since 1970 by this device's clock. */
  readonly now: number
  /** A random number from 0 up to 1. */
  readonly random: number
  /** Longest `Retry-After` for which the caller waits, ms. */
  readonly patience: number
}

/**
 * The wait before a GET is sent a second time, when the server's `Retry-After` is over.
 * @returns ms; undefined when this response is final, also because its `Retry-After` is longer than the patience
 */
export function waitBeforeRepeat(
  { status, header }: ReceivedResponse,
  facts: RepeatFacts,
): number | undefined {
  if (!repeatedStatuses.has(status)) return undefined
  const asked = retryAfterOf(header, facts.now)
  if (asked !== undefined) return asked <= facts.patience ? asked : undefined
  return SHORTEST_MS + facts.random * (LONGEST_MS - SHORTEST_MS)
}
