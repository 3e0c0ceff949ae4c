// After a reset: the passkeys and sessions that are left, ended with the token of the reset that was used.
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
import { perBodyField } from '#server/http/limits.ts'
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
  const leftOf = async (userId: string) => ({
    passkeys: (await listPasskeys(db, userId)).map(passkeyView),
    sessions: (await listSessions(db, userId, clock())).map((it) => sessionView(it)),
  })

  route(app, reviewReset, async ({ body }) => leftOf(await ownerOf(body.password_reset_token)), limit)

  route(
    app,
    removePasskeyAfterReset,
    async ({ body }) => {
      const userId = await ownerOf(body.password_reset_token)
      await dropPasskey(deps, userId, body.passkey_id)
      return leftOf(userId)
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
      return leftOf(userId)
    },
    limit,
  )
}
