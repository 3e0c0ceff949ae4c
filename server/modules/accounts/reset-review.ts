// After a password reset: lists the remaining passkeys and sessions, and ends them. The token of the used reset
// authorizes these requests.
import type { FastifyInstance } from 'fastify'
import { RESET_MS } from '#contract/accounts/password.ts'
import {
  endSessionsAfterReset,
  removePasskeyAfterReset,
  reviewReset,
} from '#contract/accounts/reset-review.ts'
import type { Deps } from '#server/deps.ts'
import { passkeyView, sessionView } from '#server/services/auth/account-views.ts'
import { endSessions } from '#server/services/auth/end-sessions.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField } from '#server/http/limit-keys.ts'
import { dropPasskey } from '#server/services/auth/drop-passkey.ts'
import { resetIdOf } from '#server/services/auth/reset-token.ts'
import { route } from '#server/http/route.ts'
import { findUsedReset } from '#server/store/accounts/mail-codes.ts'
import { listPasskeys } from '#server/store/accounts/passkeys.ts'
import { listSessions } from '#server/store/accounts/sessions.ts'

export function resetReviewRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings } = deps
  const limit = { rateLimit: perBodyField(settings.limits.resetReview, 'password_reset_token') }

  async function ownerOf(token: string): Promise<string> {
    const resetId = resetIdOf(secrets, token)
    const userId = resetId === undefined ? undefined : await findUsedReset(db, resetId, clock() - RESET_MS)
    if (userId === undefined) throw new ApiError('link_invalid')
    return userId
  }
  const remainingOf = async (userId: string) => ({
    passkeys: (await listPasskeys(db, userId)).map(passkeyView),
    sessions: (await listSessions(db, userId, clock())).map((session) => sessionView(session)),
  })

  route(app, reviewReset, async ({ body }) => remainingOf(await ownerOf(body.password_reset_token)), limit)

  route(
    app,
    removePasskeyAfterReset,
    async ({ body }) => {
      const userId = await ownerOf(body.password_reset_token)
      await dropPasskey(deps, userId, body.passkey_id)
      return remainingOf(userId)
    },
    limit,
  )

  route(
    app,
    endSessionsAfterReset,
    async ({ body, request }) => {
      const userId = await ownerOf(body.password_reset_token)
      const { session_id: only } = body
      const which = only === undefined ? { exceptDevice: request.deviceId } : { only }
      await endSessions(deps, userId, which)
      return remainingOf(userId)
    },
    limit,
  )
}
