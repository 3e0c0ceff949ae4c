// The last sequence number of each device and subject; a smaller one arrives too late.
import { lt } from 'drizzle-orm'
import type { SequenceNumber } from '#contract/mutations/sequence-number.ts'
import type { Db } from '#server/store/database.ts'
import { sequenceNumbers } from '#server/store/tables/reactions.ts'

/**
 * Notes a mutation. Two requests about one thing wait for each other here.
 * @param about what it is about (`aboutOf` of contract/mutations/mutations.ts)
 * @returns false when this mutation, or a later one of the same device about the same thing, was noted before
 */
export async function noteSequenceNumber(
  tx: Db,
  userId: string,
  about: string,
  { source, number }: SequenceNumber,
  now: number,
): Promise<boolean> {
  const at = new Date(now)
  const noted = await tx
    .insert(sequenceNumbers)
    .values({ userId, about, source, number, at })
    .onConflictDoUpdate({
      target: [sequenceNumbers.userId, sequenceNumbers.about, sequenceNumbers.source],
      set: { number, at },
      setWhere: lt(sequenceNumbers.number, number),
    })
    .returning({ number: sequenceNumbers.number })
  return noted.length === 1
}

/** Deletes numbers recorded before a moment: no request arrives that late. */
export async function forgetSequenceNumbers(db: Db, before: number): Promise<void> {
  await db.delete(sequenceNumbers).where(lt(sequenceNumbers.at, new Date(before)))
}
