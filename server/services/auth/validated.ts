// Requires a recent validation (proven password), which sensitive changes need besides the session.
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import { ApiError } from '#server/http/errors.ts'
import type { Viewer } from '#server/http/viewer.ts'

/**
 * Returns when the validation of this session expires.
 * @throws ApiError `validation_required` when it was never proven, or too long ago
 */
export function validatedOf(viewer: Viewer, now: number): Date {
  const until = (viewer.validatedAt?.getTime() ?? 0) + VALIDATION_MS
  if (until <= now) throw new ApiError('validation_required')
  return new Date(until)
}
