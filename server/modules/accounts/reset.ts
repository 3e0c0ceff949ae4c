// A forgotten password: a code by mail, a token for the right one, a new password (specification section 2).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import {
  ASKED_CODE_EVERY_MS,
  askReset,
  checkResetCode,
  RESET_MS,
  resetPassword,
  UNASKED_CODE_EVERY_MS,
} from '#contract/accounts/password.ts'
import type { Deps } from '#server/deps.ts'
import { sessionView } from '#server/services/auth/account-views.ts'
import { issueDevice } from '#server/services/auth/device-cookie.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField, perEmailOrMail } from '#server/http/limits.ts'
import { createNetworkBudget } from '#server/services/auth/network-budget.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { resetIdOf, resetTokenOf } from '#server/services/auth/reset-token.ts'
import { route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { takeReset, tryResetCode, verifyMailCode } from '#server/store/accounts/mail-codes.ts'
import { isRemembered, rememberDevice } from '#server/store/accounts/remembered-devices.ts'
import { judge } from './mail-code.ts'
import { putPassword } from './put-password.ts'
import { mailTokenEmail, resetMailRoutes } from './reset-mail.ts'
import { resetReviewRoutes } from './reset-review.ts'

export function resetRoutes(app: FastifyInstance, deps: Deps): void {
  askRoute(app, deps)
  checkRoute(app, deps)
  changeRoute(app, deps)
  resetMailRoutes(app, deps)
  resetReviewRoutes(app, deps)
}

/** Whether it is proven that the owner of the address asks: by a remembered device, or by an earlier email. */
async function isAsked(deps: Deps, request: FastifyRequest, email: string, mailToken?: string) {
  if (mailToken !== undefined && mailTokenEmail(deps, mailToken) === email) return true
  return request.deviceId !== null && (await isRemembered(deps.db, email, request.deviceId))
}

function askRoute(app: FastifyInstance, deps: Deps): void {
  const { transaction, secrets, settings } = deps
  const emails = createNetworkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  route(
    app,
    askReset,
    async ({ body: { email, mail_token: mailToken }, request }) => {
      const asked = await isAsked(deps, request, email, mailToken)
      // The account's own limit of codes applies to them; other people in the network do not use it up.
      await (asked ? emails.count(request) : emails.spend(request))
      const requestId = newToken()
      // Whether an account has the address is looked up by the job, after the answer.
      const wanted = { email, requestHash: hashToken(requestId), asked }
      const sealed = secrets.seal('address', Buffer.from(JSON.stringify(wanted)))
      await transaction(({ enqueue }) => enqueue('reset.letter', { sealed }))
      const again = asked ? ASKED_CODE_EVERY_MS : UNASKED_CODE_EVERY_MS
      return { sent: true as const, request_id: requestId, again_after_s: again / 1000 }
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
      // A request has five tries of its own: a network's budget, which others use up, must not stop them.
      await tries.wait(request, requestHash, true)
      const row = await tryResetCode(db, requestHash)
      const { right, alive } = judge(deps, row, body.code)
      // Only a device that has the very code learns that it is over: other guesses look the same for every address.
      if (!row || !right) throw new ApiError('code_wrong')
      if (!alive || !(await verifyMailCode(db, row.id, clock()))) throw new ApiError('code_expired')
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
      // The code has proven whose device this is: wrong passwords from elsewhere no longer stop its sign-in.
      const deviceId = request.deviceId ?? newId()
      const ended = await deps.transaction(async (unit) => {
        const userId = await takeReset(unit.tx, resetId, clock() - RESET_MS, clock())
        if (userId === undefined) throw new ApiError('link_invalid')
        const sessions = await putPassword(deps, unit, { userId, passwordHash, resetId, deviceId })
        await rememberDevice(unit.tx, userId, deviceId, clock())
        return sessions
      })
      issueDevice(request, deviceId)
      return { changed: true as const, ended: ended.map((it) => sessionView(it)) }
    },
    { rateLimit: perBodyField(settings.limits.validation, 'password_reset_token') },
  )
}
