// Books an entry of the ledger, and publishes to its creator that their sales changed.
import { personChannel } from '#contract/realtime/channels.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import { addEntryOnce, type NewEntry } from '#server/store/payments/ledger.ts'

/** Adds an entry once, as `addEntryOnce` does. @returns false when it exists */
export async function bookEntry(
  unit: Pick<UnitOfWork, 'tx' | 'publish'>,
  entry: NewEntry,
  now: number,
): Promise<boolean> {
  const isAdded = await addEntryOnce(unit.tx, entry, now)
  if (isAdded && entry.creatorId !== null) publishSales(unit, entry.creatorId)
  return isAdded
}

/** Publishes to the creator's open apps that what they sold or are paid changed. */
export const publishSales = ({ publish }: Pick<UnitOfWork, 'publish'>, creatorId: string): void =>
  publish({ channel: personChannel(creatorId), event: 'sales.changed', data: {} })
