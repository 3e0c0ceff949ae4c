// Routes of sessions: sign-in, sign-out and session data (specification sections 4 and 7).
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import { getAccountState, getSession, signOut } from '#contract/accounts/session.ts'
import { signIn } from '#contract/accounts/sign-in.ts'
import { build } from '#contract/notices/admin-notices.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { createAccountFailures } from '#server/services/auth/account-failures.ts'
import { emailKey, perEmail } from '#server/http/limit-keys.ts'
import { openSession, sessionUserOf } from '#server/services/auth/open-session.ts'
import { createSecondFactorCheck } from '#server/services/auth/second-factor.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { provenReset, resetTokenOf, sessionReset } from '#server/services/auth/reset-token.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { accountState, findUserByEmail } from '#server/store/people/people.ts'
import { isRemembered } from '#server/store/accounts/remembered-devices.ts'
import { recordBuild, removeSession } from '#server/store/accounts/sessions.ts'
import { deviceRoutes } from './devices.ts'
import { bindDevice } from './bind-device.ts'
import { exchangeToken } from './rotation.ts'

export function sessionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, passwords, secrets, settings, transaction } = deps
  const tries = createThrottle(deps.counts, settings.limits, 'sign-in')
  const failures = createAccountFailures(deps.counts, settings.limits.accountFailures)

  const codes = createSecondFactorCheck(deps)

  route(
    app,
    signIn,
    async ({ body, request }) => {
      const throttleKey = emailKey(request)
      const { deviceId } = request
      const remembered = deviceId !== null && (await isRemembered(db, body.email, deviceId))
      const attempt = { email: body.email, rememberedDevice: remembered ? deviceId : undefined }
      await failures.spend(attempt)
      await tries.wait(request, throttleKey, remembered)
      const user = await findUserByEmail(db, body.email)
      const isRight = await passwords.verify(user?.passwordHash, body.password)
      if (!user || !isRight) throw new ApiError('wrong_credentials')
      await tries.reset(request, throttleKey)
      await failures.uncount(attempt)
      const { rememberedDevice } = attempt
      const isProven = await codes.prove(request, { userId: user.id, code: body.code, rememberedDevice })
      const resetId = await provenReset(deps, body.password_reset_token, user.id)
      const reply = await openSession(deps, request, {
        user,
        method: 'password',
        provenTwice: isProven,
        ...(resetId !== undefined && { resetId }),
      })
      if (resetId === undefined) return reply
      return { ...reply, user: { ...reply.user, password_reset_token: resetTokenOf(secrets, resetId) } }
    },
    { rateLimit: perEmail(settings.limits.signIn) },
  )

  memberRoute(app, signOut, async ({ viewer }) => {
    await transaction(async ({ tx, endConnections }) => {
      await removeSession(tx, viewer.id, viewer.sessionId)
      endConnections({ is: 'session', userId: viewer.id, sessionId: viewer.sessionId })
    })
    return { signed_out: true as const }
  })

  memberRoute(app, getSession, async ({ viewer, query, request }) => {
    if (v.is(build, query.build)) await recordBuild(db, viewer.sessionId, query.build)
    await bindDevice(deps, request, viewer)
    const token = await exchangeToken(deps, request, viewer)
    const user = { ...(await sessionUserOf(deps, viewer)), ...(await sessionReset(deps, viewer.sessionId)) }
    return { user, ...(token !== undefined && { token }) }
  })

  route(app, getAccountState, async ({ params }) => ({
    state: (await accountState(db, params.user_id)) === 'gone' ? ('closed' as const) : ('open' as const),
  }))

  deviceRoutes(app, deps)
}
