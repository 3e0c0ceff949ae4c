// Routes of registration: sign-up, its email once more, and confirmation by the email's link. The replies to a sign-up do
// not reveal whether the address has an account.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import { MIN_AGE, REGISTRATION_MS } from '#contract/limits.ts'
import { getRegistration } from '#contract/accounts/invitations.ts'
import { confirmRegistration, register, resendRegistration } from '#contract/accounts/registration.ts'
import { ageOn } from '#contract/rules.ts'
import type { SessionReply } from '#contract/accounts/session.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField } from '#server/http/limits.ts'
import { createNetworkBudget } from '#server/services/auth/network-budget.ts'
import { openSession } from '#server/services/auth/open-session.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addUser } from '#server/store/people/people.ts'
import { reservedFields } from '#server/rules/reserved-names.ts'
import {
  addRegistration,
  findRegistration,
  findRegistrationByToken,
  type Registration,
  removeRegistrationsOf,
  takeRegistration,
} from '#server/store/accounts/registrations.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import { mayRegister, registrationState, countInvitationUse } from './invited.ts'
import { linkToken } from './registration-email.ts'

export function registrationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction, passwords, settings } = deps
  const emails = createNetworkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  const tries = createThrottle(deps.counts, settings.limits, 'registration')

  route(app, getRegistration, async () => ({ state: await registrationState(deps) }))

  route(
    app,
    register,
    async ({ body, request }) => {
      const reserved = reservedFields(body)
      if (Object.keys(reserved).length > 0) throw new ApiError('invalid', reserved)
      const invitationId = await mayRegister(deps, body.invite)
      await emails.spend(request)
      const claim = newToken()
      const row = await newRegistration(deps, { ...body, invitationId }, claim)
      await transaction(async ({ tx, enqueue }) => {
        await addRegistration(tx, row)
        await enqueue('registration.letter', { registrationId: row.id })
      })
      return { registration_id: row.id, claim }
    },
    { rateLimit: settings.limits.signUp },
  )

  route(
    app,
    resendRegistration,
    async ({ body, request }) => {
      const found = await findRegistration(db, body.registration_id, clock())
      if (found?.claimHash !== hashToken(body.claim)) throw new ApiError('link_invalid')
      await emails.spend(request)
      await transaction(({ enqueue }) => enqueue('registration.letter', { registrationId: found.id }))
      return { sent: true as const }
    },
    { rateLimit: perBodyField(settings.limits.emails, 'registration_id') },
  )

  route(
    app,
    confirmRegistration,
    async ({ body, request }) => {
      const found = await findRegistrationByToken(db, hashToken(body.token), clock())
      if (!found) throw new ApiError('link_invalid')
      if (body.claim === undefined || hashToken(body.claim) !== found.claimHash) {
        if (body.password === undefined) throw new ApiError('confirm_password')
        await tries.wait(request, found.id)
        const isRight = await passwords.verify(found.passwordHash, body.password)
        if (!isRight) throw new ApiError('wrong_credentials')
        await tries.reset(request, found.id)
      }
      return createAccount(deps, found, request)
    },
    { rateLimit: perBodyField(settings.limits.validation, 'token') },
  )
}

/** Makes the row of a registration, with the same work for every address. A job decides about the email. */
async function newRegistration(
  { clock, passwords, secrets }: Deps,
  body: Pick<Registration, 'email' | 'name' | 'invitationId'> & { password: string; birth_date: string },
  claim: string,
): Promise<Registration> {
  const id = newId()
  return {
    id,
    email: body.email,
    passwordHash: await passwords.hash(body.password),
    name: body.name,
    birthDate: body.birth_date,
    tokenHash: hashToken(linkToken(secrets, id)),
    claimHash: hashToken(claim),
    invitationId: body.invitationId,
    createdAt: new Date(clock()),
    expiresAt: new Date(clock() + REGISTRATION_MS),
  }
}

/** Creates the account and opens its first session. Of two concurrent confirmations one succeeds. */
async function createAccount(
  deps: Deps,
  registration: Registration,
  request: FastifyRequest,
): Promise<SessionReply> {
  const { clock, transaction } = deps
  const { email, passwordHash, name, birthDate } = registration
  const now = clock()
  const { registration: mode } = await deps.runtime.values()
  return transaction(async (unit) => {
    const { tx } = unit
    const taken = await takeRegistration(tx, registration.id)
    if (!taken || ageOn(birthDate, now) < MIN_AGE) throw new ApiError('link_invalid')
    await countInvitationUse(tx, registration.invitationId, mode, now)
    const user = {
      id: newId(),
      email,
      passwordHash,
      name,
      birthDate,
      role: 'member' as const,
      createdAt: new Date(now),
    }
    if (!(await addUser(tx, user))) throw new ApiError('link_invalid')
    await reindexPerson(tx, user.id)
    await removeRegistrationsOf(tx, email)
    return openSession(deps, request, { user, method: 'registration' }, unit)
  })
}
