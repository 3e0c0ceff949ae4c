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
import { perBodyField } from '#server/http/limit-keys.ts'
import { createNetworkBudget } from '#server/services/auth/network-budget.ts'
import { createRecipientBudget } from '#server/services/auth/recipient-budget.ts'
import { openSession } from '#server/services/auth/open-session.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { route } from '#server/http/route.ts'
import { hashToken, newToken } from '#server/services/auth/authenticate.ts'
import { addUser } from '#server/store/people/people.ts'
import { reservedFields } from '#server/rules/reserved-names.ts'
import {
  addRegistration,
  findClaimedRegistration,
  findRegistration,
  findRegistrationByToken,
  listRegistrationsOf,
  type Registration,
  removeRegistrationsOf,
  takeRegistration,
} from '#server/store/accounts/registrations.ts'
import { giveAdmins } from '#server/services/people/admins.ts'
import { reindexPerson } from '#server/services/search/search-index.ts'
import { mayRegister, registrationState, countInvitationUse } from './invited.ts'
import { linkToken } from './registration-email.ts'

/** On another device than the registering one, the password is compared with those of as many registrations. */
const TRIED_PASSWORDS = 5

export function registrationRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction, settings } = deps
  const emails = createNetworkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  const links = createRecipientBudget(deps, 'registration', settings.limits.emailsToAddress)
  route(app, getRegistration, async () => ({ state: await registrationState(deps) }))
  confirmationRoute(app, deps)

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
      // A link that arrived earlier proves the address too, so that a flood does not keep its owner from registering.
      const isSent = await links.allows(row.email)
      await transaction(async ({ tx, enqueue }) => {
        await addRegistration(tx, row)
        if (isSent) await enqueue('registration.letter', { registrationId: row.id })
      })
      return { registration_id: row.id, claim, sent: isSent }
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
      await links.spend(found.email)
      await transaction(({ enqueue }) => enqueue('registration.letter', { registrationId: found.id }))
      return { sent: true as const }
    },
    { rateLimit: perBodyField(settings.limits.emails, 'registration_id') },
  )
}

/** A link proves the address; claim or password say which of its registrations is completed. */
function confirmationRoute(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  const tries = createThrottle(deps.counts, settings.limits, 'registration')
  route(
    app,
    confirmRegistration,
    async ({ body, request }) => {
      const proof = await findRegistrationByToken(db, hashToken(body.token), clock())
      if (!proof) throw new ApiError('link_invalid')
      const { email } = proof
      const claimed =
        body.claim === undefined
          ? undefined
          : await findClaimedRegistration(db, { email, claimHash: hashToken(body.claim) }, clock())
      if (claimed) return createAccount(deps, claimed, request)
      if (body.password === undefined) throw new ApiError('confirm_password')
      await tries.wait(request, proof.id)
      const own = await registrationWith(deps, proof, body.password)
      if (!own) throw new ApiError('wrong_credentials')
      await tries.reset(request, proof.id)
      return createAccount(deps, own, request)
    },
    { rateLimit: perBodyField(settings.limits.validation, 'token') },
  )
}

/** The registration with this password: that of the link, or another one of its address. */
async function registrationWith(
  { db, clock, passwords }: Deps,
  proof: Registration,
  password: string,
): Promise<Registration | undefined> {
  const others = await listRegistrationsOf(db, proof.email, { now: clock(), limit: TRIED_PASSWORDS })
  for (const it of [proof, ...others.filter(({ id }) => id !== proof.id)])
    if (await passwords.verify(it.passwordHash, password)) return it
  return undefined
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
  const { clock, transaction, settings } = deps
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
    // The link has proven the address.
    const isAdmin = settings.adminEmails?.includes(email) === true
    if (isAdmin) await giveAdmins(unit, [email])
    await removeRegistrationsOf(tx, email)
    return openSession(
      deps,
      request,
      { user: isAdmin ? { ...user, role: 'admin' } : user, method: 'registration' },
      unit,
    )
  })
}
