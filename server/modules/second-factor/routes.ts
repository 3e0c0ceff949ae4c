// Routes of a member's second factor: state, setup, recovery codes and removal.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from '#contract/accounts/second-factor.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { keyOf, stepOf } from '#server/services/auth/totp.ts'
import { newRecoveryCodes, openSecret, recoveryHash } from '#server/services/auth/second-factor.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import {
  beginFactor,
  confirmFactor,
  countRecoveryCodes,
  findSecondFactor,
  removeFactor,
  replaceRecoveryCodes,
} from '#server/store/accounts/second-factor.ts'
import { lockUser } from '#server/store/people/people.ts'

/** Bytes of a secret (RFC 4226 section 4: 160 bits). */
const SECRET_BYTES = 20
/** A recovery code as it is shown. */
const shown = (code: string) => `${code.slice(0, 5)}-${code.slice(5)}`

export function secondFactorRoutes(app: FastifyInstance, deps: Deps): void {
  setupRoutes(app, deps)
  changeRoutes(app, deps)
}

function setupRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings, transaction } = deps
  const rateLimit = perPerson(settings.limits.validation)

  memberRoute(app, getSecondFactor, async ({ viewer }) => {
    const factor = await findSecondFactor(db, viewer.id)
    const since = factor?.confirmedAt?.toISOString() ?? null
    return { since, codes_left: since === null ? 0 : await countRecoveryCodes(db, viewer.id) }
  })

  memberRoute(app, beginSecondFactor, async ({ viewer }) => {
    validatedOf(viewer, clock())
    const secret = randomBytes(SECRET_BYTES)
    const sealed = secrets.seal('second-factor', secret, viewer.id)
    if (!(await beginFactor(db, viewer.id, sealed, clock()))) throw new ApiError('conflict')
    return keyOf(secret, viewer.email)
  })

  memberRoute(
    app,
    confirmSecondFactor,
    async ({ viewer, body }) => {
      validatedOf(viewer, clock())
      const factor = await findSecondFactor(db, viewer.id)
      if (!factor || factor.confirmedAt !== null) throw new ApiError('conflict')
      const step = stepOf(openSecret(secrets, factor), body.code, clock())
      if (step === undefined) throw new ApiError('invalid', { code: 'wrong_code' })
      const codes = newRecoveryCodes()
      await transaction(async ({ tx, email }) => {
        if (!(await confirmFactor(tx, factor, step, clock()))) throw new ApiError('conflict')
        await replaceRecoveryCodes(
          tx,
          viewer.id,
          codes.map((it) => recoveryHash(secrets, viewer.id, it)),
        )
        await email({ email: viewer.email, name: viewer.name }, { is: 'second_factor_on', at: clock() })
      })
      return { codes: codes.map(shown) }
    },
    { rateLimit },
  )
}

function changeRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock, secrets, settings, transaction } = deps
  const rateLimit = perPerson(settings.limits.validation)

  memberRoute(
    app,
    renewRecoveryCodes,
    async ({ viewer }) => {
      validatedOf(viewer, clock())
      const codes = newRecoveryCodes()
      await transaction(async ({ tx }) => {
        await lockUser(tx, viewer.id)
        if (!(await findSecondFactor(tx, viewer.id))?.confirmedAt) throw new ApiError('not_found')
        await replaceRecoveryCodes(
          tx,
          viewer.id,
          codes.map((it) => recoveryHash(secrets, viewer.id, it)),
        )
      })
      return { codes: codes.map(shown) }
    },
    { rateLimit },
  )

  memberRoute(app, removeSecondFactor, async ({ viewer }) => {
    validatedOf(viewer, clock())
    await transaction(async ({ tx, email }) => {
      await lockUser(tx, viewer.id)
      if ((await removeFactor(tx, viewer.id)) === 0) throw new ApiError('not_found')
      await email({ email: viewer.email, name: viewer.name }, { is: 'second_factor_off', at: clock() })
    })
    return { removed: true as const }
  })
}
