// The email of a registration: a link, or a notice that an account exists.
import { NO_ID } from '#contract/administration/audit-names.ts'
import type { Deps } from '#server/deps.ts'
import { createRecipientBudget } from '#server/services/auth/recipient-budget.ts'
import { findUserByEmail } from '#server/store/people/people.ts'
import { findRegistration, listRegistrationsOf } from '#server/store/accounts/registrations.ts'

/** The token of the link: a MAC of the registration's id. It can be made again, and no table stores it. */
export function linkToken(secrets: Deps['secrets'], registrationId: string): string {
  return secrets.mac('registration', registrationId)
}

const confirmationUrl = (
  { secrets, settings }: Pick<Deps, 'secrets' | 'settings'>,
  registrationId: string,
): string => `${settings.publicUrl}/confirmed#token=${linkToken(secrets, registrationId)}`

/**
 * The link of the newest registration of an address, for an operator whose relay does not send yet. It is audited.
 * @returns undefined when none waits
 */
export async function showConfirmationUrl(deps: Deps, email: string): Promise<string | undefined> {
  const [found] = await listRegistrationsOf(deps.db, email, { now: deps.clock(), limit: 1 })
  if (!found) return undefined
  const about = { subjectKind: 'registration', subjectId: found.id } as const
  await deps.audit({ actorId: NO_ID, act: 'registration.link', ...about, ip: '', detail: {} })
  return confirmationUrl(deps, found.id)
}

/**
 * Chooses and enqueues the email. It runs as a job, so that neither the reply nor its time reveals whether the address
 * has an account.
 */
export async function enqueueRegistrationEmail(deps: Deps, registrationId: string): Promise<void> {
  const { clock, transaction, settings } = deps
  const notices = createRecipientBudget(deps, 'owner', settings.limits.noticesToOwner)
  await transaction(async ({ tx, email: send }) => {
    const registration = await findRegistration(tx, registrationId, clock())
    if (!registration) return
    const { email } = registration
    const owner = await findUserByEmail(tx, email)
    if (owner) {
      if (await notices.allows(email)) await send({ email, name: owner.name }, { is: 'already_registered' })
      return
    }
    const url = confirmationUrl(deps, registrationId)
    // The address may belong to another person: the email does not contain the name that was typed.
    return send({ email, name: '' }, { is: 'confirm_registration', url })
  })
}
