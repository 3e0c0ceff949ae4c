// Charges from uploaded lists, until a settlement of the provider covers them.
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { ledgerEntries, ledgerLines } from '#server/store/tables/ledger.ts'
import { charges, operatorTasks } from '#server/store/tables/payments.ts'
import { addTaskUnlessOpen, closeTasks } from './operator-tasks.ts'

type UploadedCharge = Pick<typeof charges.$inferSelect, 'paymentId' | 'provider' | 'chargeRef' | 'amount'>

/** Adds the task that shows a charge until it is settled. */
export const showUnsettled = (
  tx: Db,
  { paymentId, provider, chargeRef, amount }: UploadedCharge,
  now: number,
): Promise<void> =>
  addTaskUnlessOpen(
    tx,
    { kind: 'unsettled_charge', paymentId, details: { provider, chargeRef, amount, why: 'from_file' } },
    now,
  )

/** What of uploaded lists no settlement covers, whole yen. */
export async function sumUnsettled(db: Db): Promise<number> {
  const [row] = await db
    .select({ sum: sql<string>`coalesce(sum((${operatorTasks.details}->>'amount')::bigint), 0)` })
    .from(operatorTasks)
    .where(and(eq(operatorTasks.kind, 'unsettled_charge'), isNull(operatorTasks.doneAt)))
  return Number(row?.sum ?? 0)
}

const RECEIVABLE = 'provider_receivable'
const taking = inArray(ledgerEntries.cause, ['sale', 'surplus'])

/**
 * Compares what the provider still owes with the charges of uploaded lists. It pays the oldest charges first, so that one is covered as soon
 * as no more is owed than the charges after it: its task is closed then, and added again when a settlement is reversed.
 */
export async function compareUnsettled(tx: Db, now: number): Promise<void> {
  const uploaded = await tx
    .select({
      paymentId: charges.paymentId,
      provider: charges.provider,
      chargeRef: charges.chargeRef,
      amount: charges.amount,
      at: ledgerEntries.at,
    })
    .from(charges)
    .innerJoin(ledgerEntries, and(eq(ledgerEntries.chargeId, charges.id), taking))
    .where(isNotNull(charges.fileDigest))
  if (uploaded.length === 0) return
  const [owed] = await tx
    .select({ sum: sql<string>`coalesce(sum(${ledgerLines.amount}), 0)` })
    .from(ledgerLines)
    .where(eq(ledgerLines.account, RECEIVABLE))
  for (const { at, ...charge } of uploaded) {
    const [later] = await tx
      .select({ sum: sql<string>`coalesce(sum(${ledgerLines.amount}), 0)` })
      .from(ledgerLines)
      .innerJoin(ledgerEntries, eq(ledgerEntries.id, ledgerLines.entryId))
      .where(
        and(
          eq(ledgerLines.account, RECEIVABLE),
          taking,
          sql`${ledgerEntries.at} > ${at.toISOString()}::timestamptz`,
        ),
      )
    if (Number(owed?.sum ?? 0) <= Number(later?.sum ?? 0))
      await closeTasks(tx, 'unsettled_charge', charge, now)
    else await showUnsettled(tx, charge, now)
  }
}
