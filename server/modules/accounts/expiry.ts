// What an account was going through and did not finish in time is forgotten.
import type { Deps } from '#server/deps.ts'
import { removeMailCodesBefore } from '#server/store/accounts/mail-codes.ts'
import { removeRefusalsBefore } from '#server/store/accounts/reset-refusals.ts'
import { removeExpiredRegistrations } from '#server/store/accounts/registrations.ts'

/** Expired codes are stored for this time, so that a try gets the reply that the code has expired, ms. */
const REMEMBERED = 24 * 3600_000

export async function forgetUnfinished({ db, clock }: Deps): Promise<void> {
  await removeExpiredRegistrations(db, clock())
  await removeMailCodesBefore(db, clock() - REMEMBERED)
  await removeRefusalsBefore(db, clock())
}
