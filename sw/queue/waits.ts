// How long a job waits after a step that did not go through. Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { JobFacts } from '#device/database/schema.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'
import type { QueueEvent } from './machine.ts'

const BACKOFF_MIN_MS = 10_000
const BACKOFF_MAX_MS = 5 * 60_000
/** The longest that a server's `Retry-After` is followed, ms; no wait is longer. */
export const LONGEST_TOLD_MS = 10 * 60_000

type Loss = Omit<Extract<QueueEvent, { type: 'lost' }>, 'type'>

/**
 * Waits as after `lost`, counted from the first refusal of a token: after it, the next sign-in goes on at once. Where
 * the session is accepted elsewhere, each further refusal waits longer.
 */
export function tokenRefused(facts: JobFacts, event: Loss): JobFacts {
  const next = lost(facts.wait.refused ? facts : { ...facts, attempts: 0 }, event)
  return { ...next, wait: { ...next.wait, refused: true } }
}

/**
 * Waits 0, 1, 3, 5 s (specification section 9), then from 10 s doubling with jitter to 5 min; or as long as the server
 * asks. A server without room on its disk is asked less and less often, and not sooner than it said.
 */
export function lost(facts: JobFacts, event: Loss): JobFacts {
  const { at, why, retryAfter } = event
  const told = retryAfter !== undefined
  const delay = why === undefined ? undefined : Math.max(retryAfter ?? 0, backoff(facts, event.jitter))
  const until = at + (delay ?? retryAfter ?? backoff(facts, event.jitter))
  return { ...facts, attempts: facts.attempts + 1, wait: { until, told, ...reasonOf(why) } }
}

function reasonOf(why: WaitReason | undefined): Pick<JobFacts['wait'], 'why' | 'foreign'> {
  switch (why) {
    case undefined:
      return {}
    case 'storage_full':
      return { why }
    case 'foreign':
      return { foreign: true }
    default:
      return why satisfies never
  }
}

/** Milliseconds until the next attempt. */
function backoff({ attempts }: JobFacts, jitter: number): number {
  const late = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** Math.min(20, attempts - RETRY_DELAYS.length))
  return Math.round(RETRY_DELAYS[attempts] ?? late * (0.5 + jitter / 2))
}
