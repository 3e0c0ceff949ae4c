// What an account was going through and did not finish in time is forgotten.
import type { Deps } from '#server/deps.ts'
import { removeExpiredRegistrations } from '#server/store/registrations.ts'

export function forgetRegistrations({ db, clock }: Deps): Promise<void> {
  return removeExpiredRegistrations(db, clock())
}
