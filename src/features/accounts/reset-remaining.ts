// Reads the passkeys and sessions that remain after a password reset.
import { reviewReset } from '#contract/accounts/reset-review.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { ApiFailure, call } from '#src/domain/api/api.ts'

type Left = ReplyOf<typeof reviewReset>
/** `left` is undefined when the token no longer shows it. */
export type ResetReading =
  | { readonly is: 'read'; readonly left: Left | undefined }
  | { readonly is: 'failed'; readonly error: Error }

/** Reads the remaining passkeys and sessions. Never rejects. */
export async function readRemaining(token: string): Promise<ResetReading> {
  try {
    return { is: 'read', left: await call(reviewReset, { body: { password_reset_token: token } }) }
  } catch (failure) {
    if (failure instanceof ApiFailure && failure.code === 'link_invalid')
      return { is: 'read', left: undefined }
    return { is: 'failed', error: failure instanceof Error ? failure : new Error(String(failure)) }
  }
}
