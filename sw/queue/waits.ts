// Computes how long a job waits after a failed step. Pure.
import { RETRY_DELAYS } from '#contract/limits.ts'
import type { Queued } from '#device/jobs/job-rows.ts'
import type { WaitReason } from '#device/jobs/wait-row.ts'
import type { Loss, RetryEvent } from './events.ts'

const BACKOFF_MIN_MS = 10_000
const BACKOFF_MAX_MS = 5 * 60_000
/** The longest that a server's `Retry-After` is followed, ms; no wait is longer. */
export const MAX_RETRY_AFTER_MS = 10 * 60_000

/** The part of a job that counts its failures. */
export type Retrying = Pick<Queued, 'attempts' | 'wait'>

export const noWait = { until: 0, told: false } as const

/** A step succeeded: failures are counted from 0 again. */
export const progressed = <J extends Retrying>(job: J): J => ({ ...job, attempts: 0, wait: noWait })

/** Whether no step may be taken yet. */
export function isWaiting({ wait }: Retrying, now: number): boolean {
  // A longer wait was stored by a wrong clock, or by a build that followed any `Retry-After`.
  return wait.until > now && wait.until <= now + MAX_RETRY_AFTER_MS
}

/** Applies an event to a job's wait. Returns the same object when nothing changes. */
export function applyRetry<J extends Retrying>(job: J, event: RetryEvent): J {
  switch (event.type) {
    case 'lost':
      return lost(job, event)
    case 'tokenRefused':
      return tokenRefused(job, event)
    case 'nudged':
      return job.wait.told || job.wait.until === 0 ? job : { ...job, wait: noWait }
    case 'hurried':
      return job.wait.until === 0 ? job : { ...job, wait: noWait }
    default:
      return event satisfies never
  }
}

/**
 * Waits as after `lost`, counted from the first refusal of a token, so that the next sign-in continues at once. Each
 * further refusal of an accepted session waits longer.
 */
function tokenRefused<J extends Retrying>(job: J, event: Loss): J {
  const next = lost(job.wait.refused ? job : { ...job, attempts: 0 }, event)
  return { ...next, wait: { ...next.wait, refused: true } }
}

/**
 * Waits 0, 1, 3, 5 s (specification section 9), then from 10 s doubling with jitter to 5 min; or as long as the server
 * requests. A server without room on its disk receives fewer and fewer requests, none before the time it named.
 */
function lost<J extends Retrying>(job: J, { at, why, retryAfter, jitter }: Loss): J {
  const isRequested = retryAfter !== undefined
  const delay = why === undefined ? undefined : Math.max(retryAfter ?? 0, backoff(job, jitter))
  const until = at + (delay ?? retryAfter ?? backoff(job, jitter))
  return { ...job, attempts: job.attempts + 1, wait: { until, told: isRequested, ...reasonOf(why) } }
}

function reasonOf(why: WaitReason | undefined): Pick<Retrying['wait'], 'why' | 'foreign'> {
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
function backoff({ attempts }: Retrying, jitter: number): number {
  const late = Math.min(BACKOFF_MAX_MS, BACKOFF_MIN_MS * 2 ** (attempts - RETRY_DELAYS.length))
  return Math.round(RETRY_DELAYS[attempts] ?? late * (0.5 + jitter / 2))
}
