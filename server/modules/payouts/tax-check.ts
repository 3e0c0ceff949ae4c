// Holds payouts to people abroad until the operator has decided how much tax is withheld.
import type { Deps, Unit } from '#server/deps.ts'
import type { Db } from '#server/store/database.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { holdForTax } from '#server/store/payouts/payouts.ts'

interface TaxedPayout {
  readonly id: string
  readonly creatorId: string
  /** What the transfer has before tax is withheld, yen. */
  readonly amount: number
}

/** Adds the task about the tax of a payout that waits for it. @param now ms since 1970 */
export async function addTaxTask(tx: Db, { id, creatorId, amount }: TaxedPayout, now: number): Promise<void> {
  const details = { creator: creatorId, payout: id, amount }
  await addTask(tx, { kind: 'withhold_tax', paymentId: null, details }, now)
}

/** Holds the open payouts of a creator who has declared to live abroad, except those that a file has. */
export async function holdAbroad(
  { clock }: Pick<Deps, 'clock'>,
  { tx }: Pick<Unit, 'tx'>,
  creatorId: string,
): Promise<void> {
  for (const { id, amount, fee } of await holdForTax(tx, creatorId))
    await addTaxTask(tx, { id, creatorId, amount: amount - fee }, clock())
}
