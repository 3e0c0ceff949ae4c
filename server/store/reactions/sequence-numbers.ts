// The last act of each device about each thing: what comes after it with a smaller number comes too late.
import { lt } from 'drizzle-orm'
import type { ActNumber } from '#contract/mutations/sequence-number.ts'
import type { Db } from '#server/store/database.ts'
import { actNumbers } from '#server/store/tables/reactions.ts'

/**
 * Notes an act. Two requests about one thing wait for each other here.
 * @param about what it is about (`aboutOf` of contract/mutations/mutations.ts)
 * @returns false when this act, or a later one of the same device about the same thing, was noted before
 */
export async function noteActNumber(
  tx: Db,
  userId: string,
  about: string,
  { source, number }: ActNumber,
  now: number,
): Promise<boolean> {
  const at = new Date(now)
  const noted = await tx
    .insert(actNumbers)
    .values({ userId, about, source, number, at })
    .onConflictDoUpdate({
      target: [actNumbers.userId, actNumbers.about, actNumbers.source],
      set: { number, at },
      setWhere: lt(actNumbers.number, number),
    })
    .returning({ number: actNumbers.number })
  return noted.length === 1
}

/** Forgets numbers noted before a moment: no network brings anything that late. */
export async function forgetActNumbers(db: Db, before: number): Promise<void> {
  await db.delete(actNumbers).where(lt(actNumbers.at, new Date(before)))
}
