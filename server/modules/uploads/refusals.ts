// What @tus/server refuses, in the codes of the contract.
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
 * The refusal behind an answer of @tus/server.
 * @param status of that answer
 * @param cause what was thrown inside, where something was
 */
export function refusalOf(status: number, cause: unknown): Error {
  if (cause instanceof ApiError) return cause
  const code = byStatus[status]
  // tus asks for 412 when the protocol's version is missing or unknown.
  if (code) return status === 412 ? new ApiError(code, undefined, 412) : new ApiError(code)
  return cause instanceof Error ? cause : new Error(`upload answered ${status}: ${JSON.stringify(cause)}`)
}
