// Deletes sequence numbers after a week. A request that arrives later counts as new.
import type { Deps } from '#server/deps.ts'
import { removeSequenceNumbersBefore } from '#server/store/reactions/sequence-numbers.ts'

const LIFETIME_MS = 7 * 24 * 3600_000

export const removeOldSequenceNumbers = ({ db, clock }: Deps): Promise<void> =>
  removeSequenceNumbersBefore(db, clock() - LIFETIME_MS)
