// What an HTTP answer, or the lack of one, means for the queue.
import * as v from 'valibot'
import { errorBody, errorStatus, type ErrorBody, type ErrorCode } from '#contract/errors.ts'
import type { Outcome } from './ports.ts'

/** Carries an end through a library that only knows thrown errors. */
export class Ended extends Error {
  readonly end: Outcome<never>
  constructor(end: Outcome<never>) {
    super(end.is)
    this.name = 'Ended'
    this.end = end
  }
}

/** An answer's header by its name; null or undefined when it is absent. */
export type HeaderOf = (name: string) => string | null | undefined

const later = new Set([408, 409, 423, 425, 429])

/**
 * Maps an answer that is not a success.
 * @param status HTTP status
 * @param body the answer's text
 * @param header the answer's header of this name
 * @param now milliseconds since 1970 by this device's clock
 */
export function endOf(status: number, body: string, header: HeaderOf, now: number): Outcome<never> {
  if (status === 401) return { is: 'signedOut' }
  if (status === 404 || status === 410) return { is: 'gone' }
  const error = parseError(body)
  if (error?.code === 'digest_mismatch') {
    return { is: 'digestDiffers', mediaIds: Object.keys(error.fields ?? {}) }
  }
  if (error?.code === 'upload_incomplete' || hasUnknownUpload(error)) return { is: 'uploadsDenied' }
  // A conflict that names a code of its own is a decision; one without is a race (offset, lock).
  if (error?.code === 'conflict' || error?.code === 'chunk_out_of_order') {
    return { is: 'refused', code: error.code }
  }
  if (later.has(status) || status >= 500 || status < 400) {
    return { is: 'lost', ...waitOf(header, now), ...(status === 507 ? { why: 'storage_full' } : {}) }
  }
  return {
    is: 'refused',
    code: error?.code ?? codeOf(status),
    ...(error?.fields ? { fields: error.fields } : {}),
  }
}

function parseError(body: string): ErrorBody['error'] | undefined {
  try {
    const parsed = v.safeParse(errorBody, JSON.parse(body))
    return parsed.success ? parsed.output.error : undefined
  } catch {
    return undefined
  }
}

function hasUnknownUpload(error: ErrorBody['error'] | undefined): boolean {
  return error?.code === 'invalid' && Object.values(error.fields ?? {}).includes('unknown_upload')
}

function codeOf(status: number): ErrorCode {
  const found = Object.entries(errorStatus).find(([, it]) => it === status)
  return (found?.[0] as ErrorCode | undefined) ?? 'bad_request'
}

/**
 * `Retry-After` in ms (RFC 9110 section 10.2.3), at most a day; nothing when it is absent or senseless.
 * A date is the server's: it counts from the answer's own `Date`, for this device's clock may be wrong.
 */
function waitOf(header: HeaderOf, now: number): { retryAfter?: number } {
  const told = header('Retry-After')?.trim()
  if (!told) return {}
  const said = Date.parse(header('Date') ?? '')
  const ms = /^\d+$/.test(told) ? Number(told) * 1000 : Date.parse(told) - (Number.isNaN(said) ? now : said)
  return Number.isFinite(ms) && ms >= 0 ? { retryAfter: Math.min(ms, 24 * 3600 * 1000) } : {}
}
