// Routes of passkeys: registration, management, sign-in and validation.
import type { FastifyInstance } from 'fastify'
import {
  addPasskey,
  requestNewPasskey,
  requestPasskeySignIn,
  requestPasskeyValidation,
  listPasskeys,
  passkeySignIn,
  removePasskey,
  renamePasskey,
  validateByPasskey,
} from '#contract/accounts/passkeys.ts'
import { VALIDATION_MS } from '#contract/accounts/password.ts'
import type { Deps } from '#server/deps.ts'
import { passkeyView } from '#server/services/auth/account-views.ts'
import { dropPasskey } from '#server/services/auth/drop-passkey.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { openSession } from '#server/services/auth/open-session.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import {
  countPasskeys,
  listPasskeys as passkeysOf,
  renamePasskey as renameOf,
} from '#server/store/accounts/passkeys.ts'
import { findUser } from '#server/store/people/people.ts'
import { validateSession } from '#server/store/accounts/sessions.ts'
import { createAuthenticationOptions, verifyAssertion } from './authentication.ts'
import { createRegistrationOptions, registerPasskey } from './registration.ts'

export function passkeyRoutes(app: FastifyInstance, deps: Deps): void {
  managementRoutes(app, deps)
  signInRoutes(app, deps)
  validationRoutes(app, deps)
}

function managementRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  /** A password alone must not replace the passkey that staff need: who has one proves it before a change. */
  const provenOf = async (viewer: Viewer): Promise<void> => {
    validatedOf(viewer, clock())
    if (!viewer.passkeyRequired || viewer.passkeyAt !== null) return
    if ((await countPasskeys(db, viewer.id)) > 0) throw new ApiError('passkey_required')
  }

  memberRoute(app, listPasskeys, async ({ viewer }) => ({
    passkeys: (await passkeysOf(db, viewer.id)).map(passkeyView),
  }))

  memberRoute(app, requestNewPasskey, async ({ viewer }) => {
    await provenOf(viewer)
    return createRegistrationOptions(deps, viewer)
  })

  memberRoute(app, addPasskey, async ({ viewer, body, request }) => {
    await provenOf(viewer)
    return passkeyView(await registerPasskey(deps, viewer, body, request))
  })

  memberRoute(app, renamePasskey, async ({ viewer, params, body }) => {
    const renamed = await renameOf(db, viewer.id, params.passkey_id, body.name)
    if (!renamed) throw new ApiError('not_found')
    return passkeyView(renamed)
  })

  memberRoute(app, removePasskey, async ({ viewer, params }) => {
    await provenOf(viewer)
    if (!(await dropPasskey(deps, viewer.id, params.passkey_id))) throw new ApiError('not_found')
    return { removed: true as const }
  })
}

function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const anyPerson = { userId: null, purpose: 'sign_in' } as const

  route(app, requestPasskeySignIn, async () => createAuthenticationOptions(deps, anyPerson))

  route(app, passkeySignIn, async ({ body, request }) => {
    const { userId } = await verifyAssertion(deps, anyPerson, body.challenge_id, body.response, request.log)
    const user = await findUser(deps.db, userId)
    if (!user || user.deletedAt) throw new ApiError('passkey_refused')
    return openSession(deps, request, { user, method: 'passkey' })
  })
}

function validationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps

  memberRoute(app, requestPasskeyValidation, async ({ viewer }) =>
    createAuthenticationOptions(deps, { userId: viewer.id, purpose: 'validate' }),
  )

  memberRoute(
    app,
    validateByPasskey,
    async ({ viewer, body, request }) => {
      const scope = { userId: viewer.id, purpose: 'validate' } as const
      await verifyAssertion(deps, scope, body.challenge_id, body.response, request.log)
      const now = clock()
      await validateSession(db, viewer.sessionId, 'passkey', now)
      return { valid_until: new Date(now + VALIDATION_MS).toISOString() }
    },
    { rateLimit: perPerson(settings.limits.validation) },
  )
}
