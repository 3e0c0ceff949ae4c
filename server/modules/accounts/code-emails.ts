// Enqueues emails with codes. Jobs decide about them after the reply, whose content and time then reveal no account.
import * as v from 'valibot'
import { UNREQUESTED_CODE_EVERY_MS } from '#contract/accounts/password.ts'
import type { Deps } from '#server/deps.ts'
import { createRecipientBudget } from '#server/services/auth/recipient-budget.ts'
import { maskedEmail } from '#server/rules/masked-email.ts'
import type { Db } from '#server/store/database.ts'
import { countMailCodes } from '#server/store/accounts/mail-codes.ts'
import { findUser, findUserByEmail, lockUser } from '#server/store/people/people.ts'
import { refusedUntil } from '#server/store/accounts/reset-refusals.ts'
import { newMailCode } from './mail-code.ts'
import { resetMailUrl } from './reset-mail.ts'

const unsealed = ({ secrets }: Deps, sealed: string) => secrets.open('address', sealed).toString()

const resetRequest = v.object({ email: v.string(), requestHash: v.string(), asked: v.boolean() })

const DAY = 24 * 3600_000
/** Codes sent to one address in a day without proof that its owner requested them. */
const UNREQUESTED_PER_DAY = 3

/**
 * Whether a code may be sent without proof that the owner requested it: one in an hour, three in a day, and none while
 * the owner refuses them. A code that was entered correctly no longer counts: its owner had requested it.
 */
async function maySendUnrequested({ clock }: Deps, tx: Db, userId: string): Promise<boolean> {
  const now = clock()
  if ((await refusedUntil(tx, userId, now)) !== null) return false
  const unrequested = { userId, purpose: 'reset', asked: false } as const
  if ((await countMailCodes(tx, unrequested, now - UNREQUESTED_CODE_EVERY_MS)) >= 1) return false
  return (await countMailCodes(tx, unrequested, now - DAY)) < UNREQUESTED_PER_DAY
}

/** Enqueues the email with the code of a reset request, if an account has the address. */
export async function enqueueResetEmail(deps: Deps, sealed: string): Promise<void> {
  const {
    email: to,
    requestHash,
    asked: isRequested,
  } = v.parse(resetRequest, JSON.parse(unsealed(deps, sealed)))
  await deps.transaction(async ({ tx, email: send }) => {
    const user = await findUserByEmail(tx, to)
    if (!user) return
    const { id: userId, email, name } = user
    // The lock makes concurrent requests count one after the other.
    await lockUser(tx, userId)
    if (!isRequested && !(await maySendUnrequested(deps, tx, userId))) return
    const code = await newMailCode(deps, tx, { userId, purpose: 'reset', email, requestHash, isRequested })
    if (code === undefined) return
    const mailUrl = resetMailUrl(deps, email)
    await send({ email, name }, { is: 'reset_code', code, mailUrl })
  })
}

/** Enqueues a code or, if an account has the new address, a notice to it; and a notice to the present address. */
export async function enqueueEmailChangeEmails(deps: Deps, userId: string, sealed: string): Promise<void> {
  await deps.transaction(async ({ tx, email }) => {
    const user = await findUser(tx, userId)
    if (!user || user.deletedAt) return
    const to = unsealed(deps, sealed)
    // A code is created for a taken address too, but not sent: tries get equal replies.
    const code = await newMailCode(deps, tx, { userId, purpose: 'change_email', email: to })
    if (code === undefined) return
    const owner = await findUserByEmail(tx, to)
    // The new address may belong to another person: the email does not name the account's owner.
    if (owner) {
      const notices = createRecipientBudget(deps, 'owner', deps.settings.limits.noticesToOwner)
      if (await notices.allows(to)) await email({ email: to, name: owner.name }, { is: 'change_email_taken' })
    }
    if (!owner) await email({ email: to, name: '' }, { is: 'change_email_code', code })
    const present = { email: user.email, name: user.name }
    await email(present, { is: 'change_email_asked', to: maskedEmail(to) })
  })
}
