// Change of the email address: a code proves the new address. The present address gets a notice.
import type { FastifyInstance } from 'fastify'
import { requestEmailChange, confirmEmailChange } from '#contract/accounts/email-change.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { createNetworkBudget } from '#server/services/auth/network-budget.ts'
import { createRecipientBudget } from '#server/services/auth/recipient-budget.ts'
import { sessionUserOf } from '#server/services/auth/open-session.ts'
import { createThrottle } from '#server/services/auth/throttle.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { maskedEmail } from '#server/rules/masked-email.ts'
import {
  type MailCode,
  removeMailCodes,
  tryChangeCode,
  verifyMailCode,
} from '#server/store/accounts/mail-codes.ts'
import { setEmail } from '#server/store/people/people.ts'
import { removeRegistrationsOf } from '#server/store/accounts/registrations.ts'
import { compareCode } from './mail-code.ts'

export function emailChangeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction, secrets, settings } = deps
  const emails = createNetworkBudget(deps.counts, 'letters', settings.limits.emailsOfNetwork)
  const tries = createThrottle(deps.counts, settings.limits, 'email-change')

  memberRoute(
    app,
    requestEmailChange,
    async ({ viewer, body, request }) => {
      validatedOf(viewer, clock())
      if (body.email === viewer.email) throw new ApiError('invalid', { email: 'unchanged' })
      await emails.spend(request)
      await spendCode(deps, viewer.id, body.email)
      // The job looks up whether an account has the address, after the reply.
      const sealed = secrets.seal('address', Buffer.from(body.email))
      await transaction(({ enqueue }) => enqueue('email-change.letter', { userId: viewer.id, sealed }))
      return { sent: true as const }
    },
    { rateLimit: perPerson(settings.limits.emails) },
  )

  memberRoute(
    app,
    confirmEmailChange,
    async ({ viewer, body, request }) => {
      await tries.wait(request, viewer.id)
      const row = await tryChangeCode(db, viewer.id)
      const { matches, isValid } = compareCode(deps, row, body.code)
      if (!row) throw new ApiError('code_wrong')
      if (!isValid) throw new ApiError('code_expired')
      if (!matches) throw new ApiError('code_wrong')
      await changeEmail(deps, viewer, row)
      await tries.reset(request, viewer.id)
      return { user: await sessionUserOf(deps, { ...viewer, email: row.email }) }
    },
    { rateLimit: perPerson(settings.limits.validation) },
  )
}

/**
 * Counts a code for a new address over all accounts. The first one of an account in a day is always sent, so that a flood from other
 * accounts does not keep the owner of the address from using it.
 * @throws RateLimited
 */
async function spendCode(deps: Deps, userId: string, address: string): Promise<void> {
  const { timeWindow } = deps.settings.limits.emailsToAddress
  const ofAccount = await deps.counts.add(
    `change of ${userId} to ${deps.secrets.mac('address', address)}`,
    timeWindow,
  )
  const ofAll = createRecipientBudget(deps, 'change', deps.settings.limits.emailsToAddress)
  if (ofAccount.current === 1) await ofAll.allows(address)
  else await ofAll.spend(address)
}

/** Changes the address in one transaction. A used code gets `code_expired`, an address taken since `code_wrong`. */
async function changeEmail({ clock, transaction }: Deps, viewer: Viewer, code: MailCode): Promise<void> {
  const now = clock()
  const message = { is: 'email_changed', to: maskedEmail(code.email), at: now } as const
  const change = transaction(async ({ tx, email: send }) => {
    if (!(await verifyMailCode(tx, code.id, now))) throw new ApiError('code_expired')
    if (!(await setEmail(tx, viewer.id, code.email))) throw new ApiError('code_wrong')
    await removeMailCodes(tx, viewer.id, code.id)
    await removeRegistrationsOf(tx, code.email)
    for (const email of [viewer.email, code.email]) await send({ email, name: viewer.name }, message)
  })
  await change.catch((error: unknown) => {
    throw isTaken(error) ? new ApiError('code_wrong') : error
  })
}

/** Whether a concurrent change took the address: the database reports a duplicate (PostgreSQL code 23505). */
function isTaken(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return (cause as { code?: unknown }).code === '23505'
}
