// Enqueues the email of a registration: a link for a new address, a notice for one that has an account.
import type { Deps } from '#server/deps.ts'
import { findUserByEmail } from '#server/store/people/people.ts'
import { findRegistration } from '#server/store/accounts/registrations.ts'

/** The secret of the link. Made from the id by our key: the same email can be written again, and no table holds it. */
export function linkToken(secrets: Deps['secrets'], registrationId: string): string {
  return secrets.mac('registration', registrationId)
}

/**
 * Chooses and enqueues the email. It runs as a job, so that neither the reply nor its time reveals whether the address
 * has an account.
 */
export async function enqueueRegistrationEmail(deps: Deps, registrationId: string): Promise<void> {
  const { clock, transaction, secrets, settings } = deps
  await transaction(async ({ tx, email: send }) => {
    const registration = await findRegistration(tx, registrationId, clock())
    if (!registration) return
    const { email } = registration
    const owner = await findUserByEmail(tx, email)
    if (owner) return send({ email, name: owner.name }, { is: 'already_registered' })
    const url = `${settings.publicUrl}/confirmed?token=${linkToken(secrets, registrationId)}`
    // The registering person typed the name: it is not sent to an address that may be a stranger's.
    return send({ email, name: '' }, { is: 'confirm_registration', url })
  })
}
