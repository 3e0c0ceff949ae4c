// Numbers of acts are known for a week: a request that comes later than that is a new one.
import type { Deps } from '#server/deps.ts'
import { forgetActNumbers } from '#server/store/reactions/sequence-numbers.ts'

const LIFE = 7 * 24 * 3600_000

export const forgetOldActs = ({ db, clock }: Deps): Promise<void> => forgetActNumbers(db, clock() - LIFE)
