// Records the last sequence number of each device and subject, to recognise late mutations.
import { lt } from 'drizzle-orm'
import type { SequenceNumber } from '#contract/mutations/sequence-number.ts'
import type { Db } from '#server/store/database.ts'
import { sequenceNumbers } from '#server/store/tables/reactions.ts'

/**
 * Records the sequence number of a mutation. Concurrent mutations of one subject wait for each other here.
 * @param about the subject of the mutation (`aboutOf` of contract/mutations/mutations.ts)
 * @returns false when this number, or a later one of the same device and subject, was recorded before
 */
export async function recordSequenceNumber(
  tx: Db,
  userId: string,
  about: string,
  { source, number }: SequenceNumber,
  now: number,
): Promise<boolean> {
  const at = new Date(now)
  const recorded = await tx
    .insert(sequenceNumbers)
    .values({ userId, about, source, number, at })
    .onConflictDoUpdate({
      target: [sequenceNumbers.userId, sequenceNumbers.about, sequenceNumbers.source],
      set: { number, at },
      setWhere: lt(sequenceNumbers.number, number),
    })
    .returning({ number: sequenceNumbers.number })
  return recorded.length === 1
}

/** Deletes numbers recorded before a moment: no request arrives that late. */
export async function removeSequenceNumbersBefore(db: Db, before: number): Promise<void> {
  await db.delete(sequenceNumbers).where(lt(sequenceNumbers.at, new Date(before)))
}
