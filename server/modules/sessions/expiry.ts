// Sessions that have run out are forgotten.
import type { Deps } from '#server/deps.ts'
import { removeExpiredSessions } from '#server/store/sessions.ts'

export function forgetOldSessions({ db, clock }: Deps): Promise<void> {
  return removeExpiredSessions(db, clock())
}
