// Maps error replies of @tus/server to the error codes of the contract.
import type { ErrorCode } from '#contract/errors.ts'
import { ApiError } from '#server/http/errors.ts'

const byStatus: Record<number, ErrorCode> = {
  400: 'bad_request',
  403: 'bad_request',
  404: 'not_found',
  409: 'offset_mismatch',
  410: 'gone',
  412: 'bad_request',
  413: 'too_large',
  423: 'conflict',
}

/**
 * The error to throw for an error reply of @tus/server.
 * @param status the status of that reply
 * @param cause the error that was thrown while the request was handled, if any
 */
export function refusalOf(status: number, cause: unknown): Error {
  if (cause instanceof ApiError) return cause
  const code = byStatus[status]
  // tus requires 412 when the version of the protocol is missing or unknown.
  if (code) return status === 412 ? new ApiError(code, undefined, 412) : new ApiError(code)
  return cause instanceof Error ? cause : new Error(`@tus/server replied ${status}: ${JSON.stringify(cause)}`)
}
