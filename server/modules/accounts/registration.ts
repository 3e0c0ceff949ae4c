// Registering: whoever asks is told the same whether the address has an account; the email's link makes it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newId } from '#contract/ids.ts'
import { MIN_AGE, REGISTRATION_MS } from '#contract/limits.ts'
import { confirmRegistration, register, resendRegistration } from '#contract/accounts/registration.ts'
import { ageOn } from '#contract/rules.ts'
import type { SessionReply } from '#contract/accounts/session.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perBodyField } from '#server/http/limits.ts'
import { networkBudget } from '#server/services/auth/network-budget.ts'
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
import { keepPersonFindable } from '#server/services/search/search-index.ts'
import { linkToken } from './registration-email.ts'

export function registrationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, jobs, passwords, secrets, settings } = deps
  const emails = networkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  const tries = createThrottle(deps.counts, settings.limits, 'registration')

  route(
    app,
    register,
    async ({ body, request }) => {
      const reserved = reservedFields(body)
      if (Object.keys(reserved).length > 0) throw new ApiError('invalid', reserved)
      await emails.spend(request)
      const id = newId()
      const claim = newToken()
      // The same work for every address: the hash is made, the row is written, a job decides about the email.
      const row: Registration = {
        id,
        email: body.email,
        passwordHash: await passwords.hash(body.password),
        name: body.name,
        birthDate: body.birth_date,
        tokenHash: hashToken(linkToken(secrets, id)),
        claimHash: hashToken(claim),
        createdAt: new Date(clock()),
        expiresAt: new Date(clock() + REGISTRATION_MS),
      }
      await db.transaction(async (tx) => {
        await addRegistration(tx, row)
        await jobs.enqueue(tx, 'registration.letter', { registrationId: id })
      })
      jobs.wake('registration.letter')
      return { registration_id: id, claim }
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
      await jobs.enqueue(db, 'registration.letter', { registrationId: found.id })
      jobs.wake('registration.letter')
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
        const same = await passwords.verify(found.passwordHash, body.password)
        if (!same) throw new ApiError('wrong_credentials')
        await tries.reset(request, found.id)
      }
      return begin(deps, found, request)
    },
    { rateLimit: perBodyField(settings.limits.validation, 'token') },
  )
}

/** Makes the account and opens its first session. Of two links pressed at once, one does; the other is used up. */
function begin(deps: Deps, registration: Registration, request: FastifyRequest): Promise<SessionReply> {
  const { db, clock } = deps
  const { email, passwordHash, name, birthDate } = registration
  const now = clock()
  return db.transaction(async (tx) => {
    const first = await takeRegistration(tx, registration.id)
    if (!first || ageOn(birthDate, now) < MIN_AGE) throw new ApiError('link_invalid')
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
    await keepPersonFindable(tx, user.id)
    await removeRegistrationsOf(tx, email)
    return openSession(deps, request, { user, method: 'registration' }, tx)
  })
}
