// When the code or link of an email ends, after which it is not sent.
import { MAIL_CODE_MS } from '#contract/accounts/mail-code.ts'
import { REGISTRATION_MS } from '#contract/limits.ts'
import type { Email } from '#server/rules/email.ts'

/**
 * The moment from which the recipient can do nothing with the email; undefined for one that also tells what happened.
 * @param queuedAt when it was enqueued, just after its code or link was made
 */
export function endOf(email: Email, queuedAt: number): number | undefined {
  switch (email.is) {
    case 'reset_code':
    case 'change_email_code':
      return queuedAt + MAIL_CODE_MS
    case 'confirm_registration':
      return queuedAt + REGISTRATION_MS
    case 'inquiry_confirm':
      return email.until
    case 'recovery_begun':
    case 'export_ready':
      return email.expires
    default:
      return undefined
  }
}
