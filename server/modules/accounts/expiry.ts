// The hourly sweep of expired registrations, emailed codes and refusals of codes.
import type { Deps } from '#server/deps.ts'
import { removeMailCodesBefore } from '#server/store/accounts/mail-codes.ts'
import { removeRefusalsBefore } from '#server/store/accounts/reset-refusals.ts'
import { removeExpiredRegistrations } from '#server/store/accounts/registrations.ts'

/** Codes stay stored this long after their expiry, so that a try is answered `code_expired`, ms. */
const EXPIRED_CODE_MS = 24 * 3600_000

export async function sweepRegistrations({ db, clock }: Deps): Promise<void> {
  await removeExpiredRegistrations(db, clock())
  await removeMailCodesBefore(db, clock() - EXPIRED_CODE_MS)
  await removeRefusalsBefore(db, clock())
}
