// Sends queued emails, one job each.
import type { Deps } from '#server/deps.ts'
import { renderEmail } from '#server/rules/emails/render.ts'
import { removeEmailsBefore } from '#server/store/accounts/emails.ts'

/** An email that no relay has taken for this long is deleted, ms. */
const EMAIL_MS = 3 * 24 * 3600_000

/** The relay refused an email for good. */
class EmailRefused extends Error {
  constructor(kind: string, status: number) {
    super(`the mail relay refused an email (${kind}) for good: ${status}`)
    this.name = 'EmailRefused'
  }
}

/**
 * Hands one email to the relay and removes it. When another try may succeed it calls `onError` and throws: the job queue
 * retries with growing waits, and the operator sees that the relay is away.
 * After a crash between the two the email is sent again under the same message id.
 */
export async function sendEmail(
  { db, outbox, mailer, settings }: Deps,
  letterId: string,
  onError: (error: Error) => void,
): Promise<void> {
  const queued = await outbox.read(db, letterId)
  if (!queued) return
  const { to, email } = queued
  const mail = { id: letterId, to, ...renderEmail(email, to.name, settings.publicUrl) }
  const sent = await mailer.send(mail).catch((error: Error) => {
    onError(error)
    throw error
  })
  if (sent.is === 'refused') onError(new EmailRefused(email.is, sent.status))
  await outbox.remove(db, letterId)
}

export function removeOldEmails({ db, clock }: Deps): Promise<void> {
  return removeEmailsBefore(db, clock() - EMAIL_MS)
}
