// Password reset by an emailed code and a reset token (specification section 2).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import {
  REQUESTED_CODE_EVERY_MS,
  requestReset,
  checkResetCode,
  RESET_MS,
  resetPassword,
  UNREQUESTED_CODE_EVERY_MS,
} from '#contract/accounts/password.ts'
import type { Deps } from '#server/deps.ts'
import { sessionView } from '#server/services/auth/account-views.ts'
import { issueDevice } from '#server/services/auth/device-cookie.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField, perEmailOrMail } from '#server/http/limit-keys.ts'
import { createNetworkBudget } from '#server/services/auth/network-budget.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { resetIdOf, resetTokenOf } from '#server/services/auth/reset-token.ts'
import { route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { takeReset, tryResetCode, verifyMailCode } from '#server/store/accounts/mail-codes.ts'
import { isRemembered, rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { compareCode } from './mail-code.ts'
import { replacePassword } from './replace-password.ts'
import { mailTokenEmail, resetMailRoutes } from './reset-mail.ts'
import { resetReviewRoutes } from './reset-review.ts'

export function resetRoutes(app: FastifyInstance, deps: Deps): void {
  requestRoute(app, deps)
  checkRoute(app, deps)
  changeRoute(app, deps)
  resetMailRoutes(app, deps)
  resetReviewRoutes(app, deps)
}

/** Whether a remembered device or an earlier email proves that the owner of the address sent the request. */
async function isRequestedByOwner(deps: Deps, request: FastifyRequest, email: string, mailToken?: string) {
  if (mailToken !== undefined && mailTokenEmail(deps, mailToken) === email) return true
  return request.deviceId !== null && (await isRemembered(deps.db, email, request.deviceId))
}

function requestRoute(app: FastifyInstance, deps: Deps): void {
  const { transaction, secrets, settings } = deps
  const emails = createNetworkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  route(
    app,
    requestReset,
    async ({ body: { email, mail_token: mailToken }, request }) => {
      const isRequested = await isRequestedByOwner(deps, request, email, mailToken)
      // The owner's requests have the account's own limit of codes, which other people in the network cannot use up.
      await (isRequested ? emails.count(request) : emails.spend(request))
      const requestId = newToken()
      // The job looks up whether an account has the address, after the reply.
      const resetRequest = { email, requestHash: hashToken(requestId), asked: isRequested }
      const sealed = secrets.seal('address', Buffer.from(JSON.stringify(resetRequest)))
      await transaction(({ enqueue }) => enqueue('reset.letter', { sealed }))
      const nextCodeMs = isRequested ? REQUESTED_CODE_EVERY_MS : UNREQUESTED_CODE_EVERY_MS
      return { sent: true as const, request_id: requestId, again_after_s: nextCodeMs / 1000 }
    },
    { rateLimit: perEmailOrMail(settings.limits.emails) },
  )
}

function checkRoute(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings } = deps
  const tries = createThrottle(deps.counts, settings.limits, 'reset')
  route(
    app,
    checkResetCode,
    async ({ body, request }) => {
      const requestHash = hashToken(body.request_id)
      // A request has five tries of its own: the network's budget, which others can use up, must not refuse them.
      await tries.wait(request, requestHash, true)
      const row = await tryResetCode(db, requestHash)
      const { matches, isValid } = compareCode(deps, row, body.code)
      // Only a device with the right code learns that it has expired. A wrong one gets the same reply for any address.
      if (!row || !matches) throw new ApiError('code_wrong')
      if (!isValid || !(await verifyMailCode(db, row.id, clock()))) throw new ApiError('code_expired')
      await tries.reset(request, requestHash)
      return { password_reset_token: resetTokenOf(secrets, row.id) }
    },
    { rateLimit: perBodyField(settings.limits.signIn, 'request_id') },
  )
}

function changeRoute(app: FastifyInstance, deps: Deps): void {
  const { clock, passwords, secrets, settings } = deps
  route(
    app,
    resetPassword,
    async ({ body, request }) => {
      const resetId = resetIdOf(secrets, body.password_reset_token)
      if (resetId === undefined) throw new ApiError('link_invalid')
      const passwordHash = await passwords.hash(body.password)
      // The code has proven the owner of this device: wrong passwords on other devices no longer stop its sign-in.
      const deviceId = request.deviceId ?? newId()
      const ended = await deps.transaction(async (unit) => {
        const userId = await takeReset(unit.tx, resetId, clock() - RESET_MS, clock())
        if (userId === undefined) throw new ApiError('link_invalid')
        const sessions = await replacePassword(deps, unit, { userId, passwordHash, resetId, deviceId })
        await rememberDevice(unit.tx, userId, deviceId, clock())
        return sessions
      })
      issueDevice(request, deviceId)
      return { changed: true as const, ended: ended.map((session) => sessionView(session)) }
    },
    { rateLimit: perBodyField(settings.limits.validation, 'password_reset_token') },
  )
}
