// Makes an adjustment, or only shows what it would book.
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import type { Deps, Unit } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import type { BookedEntry } from '#server/store/payments/ledger.ts'

/** Thrown to roll the transaction of a preview back. */
class Preview extends Error {
  readonly entries: readonly BookedEntry[]
  constructor(entries: readonly BookedEntry[]) {
    super('the transaction of a preview is rolled back')
    this.entries = entries
  }
}

/**
 * Runs an adjustment. A preview runs all of it and rolls it back, so that it shows exactly what would be booked; emails, jobs and
 * live messages of it are rolled back too.
 * @param booked reads the entries that the adjustment has booked
 * @throws what `work` throws
 */
export async function perform(
  { transaction }: Pick<Deps, 'transaction'>,
  isPreview: boolean,
  work: (unit: Unit) => Promise<void>,
  booked: (tx: Db) => Promise<readonly BookedEntry[]>,
): Promise<BookedReply> {
  try {
    const entries = await transaction(async (unit) => {
      await work(unit)
      const made = await booked(unit.tx)
      if (isPreview) throw new Preview(made)
      return made
    })
    return replyOf(entries, true)
  } catch (error) {
    if (error instanceof Preview) return replyOf(error.entries, false)
    throw error
  }
}

export const replyOf = (entries: readonly BookedEntry[], done: boolean): BookedReply => ({
  entries: entries.map(({ cause, lines }) => ({
    cause,
    lines: lines.map(({ account, isOfCreator, amount }) => ({ account, of_creator: isOfCreator, amount })),
  })),
  done,
})
