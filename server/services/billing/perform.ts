// Makes an act about money, or only shows what it would book.
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import type { Transaction, UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { Db } from '#server/store/database.ts'
import type { BookedEntry } from '#server/store/payments/ledger.ts'
import { type ActedBy, askSecond, needsSecond, type Seconded, takeAsks } from './money-door.ts'

/** Thrown to roll the transaction of a preview back. */
class Preview extends Error {
  readonly made: unknown
  constructor(made: unknown) {
    super('the transaction of a preview is rolled back')
    this.made = made
  }
}

/**
 * Runs all of an act and rolls it back, so that its result is exactly what would happen; emails, jobs and live messages of
 * it are rolled back too.
 * @throws what `work` throws
 */
export async function rolledBack<Unit, T>(
  transaction: Transaction<Unit>,
  work: (unit: Unit) => Promise<T>,
): Promise<T> {
  try {
    return await transaction(async (unit): Promise<T> => {
      throw new Preview(await work(unit))
    })
  } catch (error) {
    if (error instanceof Preview) return error.made as T
    throw error
  }
}

type Ports<Unit> = Parameters<typeof needsSecond>[0] & { readonly transaction: Transaction<Unit> }

interface Act<Unit> {
  readonly by: ActedBy
  readonly isPreview: boolean
  /** What a second member of staff has to make too; undefined for an act of one. */
  readonly second?: Seconded | undefined
  readonly work: (unit: Unit) => Promise<void>
  /** Reads the entries that the act has booked. */
  readonly booked: (tx: Db) => Promise<readonly BookedEntry[]>
}

/**
 * Makes an act, shows it, or notes it for a second member of staff after it was found possible.
 * @throws what `work` throws
 */
export async function perform<Unit extends UnitOfWork>(
  ports: Ports<Unit>,
  { by, isPreview, second, work, booked }: Act<Unit>,
): Promise<BookedReply> {
  const { transaction, clock } = ports
  const run = async (unit: Unit) => {
    await work(unit)
    return booked(unit.tx)
  }
  const waits = await needsSecond(ports, by, second)
  if (isPreview || waits) {
    const entries = await rolledBack(transaction, run)
    if (!isPreview && second) await transaction((unit) => askSecond(unit, by, second, clock()))
    return { ...replyOf(entries, false), waits }
  }
  const entries = await transaction(async (unit) => {
    if (second) await takeAsks(unit, by, second, clock())
    return run(unit)
  })
  return replyOf(entries, true)
}

export const replyOf = (entries: readonly BookedEntry[], done: boolean): BookedReply => ({
  entries: entries.map(({ cause, lines }) => ({
    cause,
    lines: lines.map(({ account, isOfCreator, amount }) => ({ account, of_creator: isOfCreator, amount })),
  })),
  done,
  waits: false,
})
