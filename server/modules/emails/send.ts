// Sends queued emails, one job for each, and deletes old ones.
import type { Deps } from '#server/deps.ts'
import { endOf } from '#server/rules/emails/ended.ts'
import { renderEmail } from '#server/rules/emails/render.ts'
import { removeEmailsBefore } from '#server/store/accounts/emails.ts'

/** An email that was not sent in this time is deleted, ms. */
const EMAIL_LIFE = 3 * 24 * 3600_000

/** The relay refused an email permanently. */
class EmailRefused extends Error {
  constructor(kind: string, status: number) {
    super(`the mail relay refused an email (${kind}) for good: ${status}`)
    this.name = 'EmailRefused'
  }
}

/** An email waited until its code or link had ended. */
class EmailEnded extends Error {
  constructor(kind: string) {
    super(`an email (${kind}) was not sent: its code or link has ended`)
    this.name = 'EmailEnded'
  }
}

/**
 * Sends one email to the relay and removes it from the outbox. Temporary failures are reported to `onError` and thrown:
 * the job queue retries with growing delays, and the operator sees that the relay fails.
 * One whose code or link has ended is not sent. After a crash between sending and removal the email is sent again under the same message id.
 */
export async function sendEmail(
  { db, outbox, mailer, settings, clock }: Deps,
  emailId: string,
  onError: (error: Error) => void,
): Promise<void> {
  const queued = await outbox.read(db, emailId)
  if (!queued) return
  const { to, email, queuedAt } = queued
  if ((endOf(email, queuedAt) ?? Number.POSITIVE_INFINITY) <= clock()) {
    onError(new EmailEnded(email.is))
    return outbox.remove(db, emailId)
  }
  const stop = email.is === 'notice' && email.advertising
  const mail = {
    id: emailId,
    to,
    ...renderEmail(email, to.name, settings.publicUrl),
    ...(stop && { unsubscribeUrl: stop.unsubscribeUrl }),
  }
  const sent = await mailer.send(mail).catch((error: Error) => {
    onError(error)
    throw error
  })
  if (sent.is === 'refused') onError(new EmailRefused(email.is, sent.status))
  await outbox.remove(db, emailId)
}

export function removeOldEmails({ db, clock }: Deps): Promise<void> {
  return removeEmailsBefore(db, clock() - EMAIL_LIFE)
}
