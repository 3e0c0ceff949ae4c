// Maps an HTTP answer, or the lack of one, to an outcome for the queue.
import {
  codeOfStatus,
  type HeaderOf,
  readRefusal,
  type Refusal,
  type ServerKind,
} from '#contract/response.ts'
import { retryAfterOf } from '#contract/retry-after.ts'
import type { Outcome } from '#sw/queue/ports.ts'
import { MAX_RETRY_AFTER_MS } from '#sw/queue/waits.ts'

/** An outcome as an error, for libraries that pass on only thrown errors. */
export class Ended extends Error {
  readonly end: Outcome<never>
  constructor(end: Outcome<never>) {
    super(end.is)
    this.name = 'Ended'
    this.end = end
  }
}

/** The outcome of a request that another server has answered. */
export const unanswered = { is: 'lost', why: 'foreign' } as const satisfies Outcome<never>

const later = new Set([408, 409, 423, 425, 429])

/**
 * Maps an answer that is not a success. One that is no refusal of the called server counts as no answer.
 * @param status HTTP status
 * @param body the answer's text
 * @param header the answer's header of this name
 * @param now milliseconds since 1970 by this device's clock
 * @param server which server the build calls
 */
export function endOf(
  status: number,
  body: string,
  header: HeaderOf,
  now: number,
  server: ServerKind = 'todoke',
): Outcome<never> {
  return endOfFailure(readRefusal({ status, body, header }, server), header, now)
}

/**
 * Maps the answer to a call that brought no reply.
 * @param refusal undefined when the called server has not answered
 * @param header the answer's header of this name
 * @param now milliseconds since 1970 by this device's clock
 */
export function endOfFailure(refusal: Refusal | undefined, header: HeaderOf, now: number): Outcome<never> {
  if (!refusal) return unanswered
  const { status, code, fields } = refusal
  if (status === 401) return { is: 'signedOut', refused: true }
  // The post waits for the account: an admin may open it again.
  if (code === 'suspended') return { is: 'signedOut', refused: true, closed: code }
  if (code === 'post_deleted') return { is: 'refused', code }
  if (status === 404 || status === 410) return { is: 'gone' }
  if (code === 'digest_mismatch') return { is: 'digestDiffers', mediaIds: Object.keys(fields ?? {}) }
  if (code === 'upload_incomplete' || hasUnknownUpload(refusal)) return { is: 'uploadsDenied' }
  // A conflict that names a code of its own is a decision; one without is a race (offset, lock).
  if (code === 'conflict' || code === 'chunk_out_of_order') return { is: 'refused', code }
  if (later.has(status) || status >= 500) {
    return { is: 'lost', ...waitOf(header, now), ...(status === 507 ? { why: 'storage_full' } : {}) }
  }
  return { is: 'refused', code: code ?? codeOfStatus(status), ...(fields ? { fields } : {}) }
}

function hasUnknownUpload({ code, fields }: Refusal): boolean {
  return code === 'invalid' && Object.values(fields ?? {}).includes('unknown_upload')
}

/** At most ten minutes of `Retry-After`; nothing when it is absent or senseless. */
function waitOf(header: HeaderOf, now: number): { retryAfter?: number } {
  const ms = retryAfterOf(header, now)
  return ms === undefined ? {} : { retryAfter: Math.min(ms, MAX_RETRY_AFTER_MS) }
}
