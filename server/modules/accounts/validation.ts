// Routes of password validation, and of password changes, which require it.
import type { FastifyInstance } from 'fastify'
import {
  changePassword,
  getValidation,
  VALIDATION_MS,
  validatePassword,
} from '#contract/accounts/password.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { createSecondFactorCheck } from '#server/services/auth/second-factor.ts'
import { memberRoute } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { findUser } from '#server/store/people/people.ts'
import { validateSession } from '#server/store/accounts/sessions.ts'
import { replacePassword } from './replace-password.ts'

export function validationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, passwords, settings } = deps
  const tries = createThrottle(deps.counts, settings.limits, 'validation')
  const codes = createSecondFactorCheck(deps)
  const isPasswordOf = async (userId: string, password: string) =>
    passwords.verify((await findUser(db, userId))?.passwordHash, password)

  memberRoute(app, getValidation, async ({ viewer }) => {
    const until = (viewer.validatedAt?.getTime() ?? 0) + VALIDATION_MS
    return { valid_until: until > clock() ? new Date(until).toISOString() : null }
  })

  memberRoute(
    app,
    validatePassword,
    async ({ viewer, body, request }) => {
      await tries.wait(request, viewer.id)
      if (!(await isPasswordOf(viewer.id, body.password)))
        throw new ApiError('invalid', { password: 'wrong_password' })
      await tries.reset(request, viewer.id)
      const { deviceId: device } = viewer
      const rememberedDevice = device ?? undefined
      await codes.prove(request, { userId: viewer.id, code: body.code, rememberedDevice })
      const now = clock()
      await validateSession(db, viewer.sessionId, 'password', now)
      return { valid_until: new Date(now + VALIDATION_MS).toISOString() }
    },
    { rateLimit: perPerson(settings.limits.validation) },
  )

  memberRoute(
    app,
    changePassword,
    async ({ viewer, body, request }) => {
      validatedOf(viewer, clock())
      if (await isPasswordOf(viewer.id, body.password))
        throw new ApiError('invalid', { password: 'unchanged' })
      const passwordHash = await passwords.hash(body.password)
      const { id: userId, sessionId } = viewer
      const { deviceId } = request
      await deps.transaction((unit) =>
        replacePassword(deps, unit, { userId, passwordHash, sessionId, deviceId }),
      )
      return { changed: true as const }
    },
    { rateLimit: perPerson(settings.limits.validation) },
  )
}
