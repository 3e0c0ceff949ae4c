// The hourly sweep of expired passkey challenges.
import type { Deps } from '#server/deps.ts'
import { removeExpiredChallenges } from '#server/store/accounts/passkeys.ts'

export function sweepPasskeyChallenges({ db, clock }: Deps): Promise<void> {
  return removeExpiredChallenges(db, clock())
}
