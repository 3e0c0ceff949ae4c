// Deletes sequence numbers after a week; a request that arrives later than that counts as new.
import type { Deps } from '#server/deps.ts'
import { removeSequenceNumbersBefore } from '#server/store/reactions/sequence-numbers.ts'

const LIFE = 7 * 24 * 3600_000

export const forgetOldSequenceNumbers = ({ db, clock }: Deps): Promise<void> =>
  removeSequenceNumbersBefore(db, clock() - LIFE)
