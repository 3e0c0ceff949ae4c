// What the bank took for transfer files, and what creators bore of it.
import { asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { bankFees } from '#server/store/tables/payouts.ts'

export type BankFeeRow = typeof bankFees.$inferSelect

/** The caller has locked the file. */
export async function addBankFee(tx: Db, row: BankFeeRow): Promise<void> {
  await tx.insert(bankFees).values(row)
}

export async function findBankFee(db: Db, id: string): Promise<BankFeeRow | undefined> {
  return (await db.select().from(bankFees).where(eq(bankFees.id, id)))[0]
}

/** The record of a file that counts; undefined while none is made. */
export async function latestBankFee(db: Db, exportId: string): Promise<BankFeeRow | undefined> {
  const rows = await db
    .select()
    .from(bankFees)
    .where(eq(bankFees.exportId, exportId))
    .orderBy(desc(bankFees.position))
    .limit(1)
  return rows[0]
}

/** The records of files by the ids of the files, in the order in which they were made. */
export async function bankFeesOf(db: Db, exportIds: readonly string[]): Promise<Map<string, BankFeeRow[]>> {
  if (exportIds.length === 0) return new Map()
  const rows = await db
    .select()
    .from(bankFees)
    .where(inArray(bankFees.exportId, [...exportIds]))
    .orderBy(asc(bankFees.position))
  return Map.groupBy(rows, (row) => row.exportId)
}

/**
 * Fees that creators bore: of transfers that were paid, and of those for which the bank keeps it. An entry with both accounts has moved the
 * fee from what the platform owes to what the bank has taken.
 * @param key of the payout `p`, by which they are summed
 * @param which a condition on the payout `p` and its entry `e`
 */
async function borneBy(db: Db, key: SQL, which: SQL): Promise<Map<string, number>> {
  const { rows } = (await db.execute(sql`
    select ${key} as key, sum(l.amount)::float8 as fee
    from payouts p
    join ledger_entries e on e.payout_id = p.id and e.cause in ('payout_paid', 'payout_returned')
    join ledger_lines l on l.entry_id = e.id and l.account = 'payout_fee'
    where ${which} and exists (select 1 from ledger_lines b where b.entry_id = e.id and b.account = 'bank')
    group by 1`)) as { rows: { key: string; fee: number }[] }
  return new Map(rows.map(({ key: of, fee }) => [of, fee]))
}

/** What the creators of files bore, yen, by the ids of the files; those who bore nothing are left out. */
export async function borneOfFiles(db: Db, exportIds: readonly string[]): Promise<Map<string, number>> {
  if (exportIds.length === 0) return new Map()
  return borneBy(db, sql`p.export_id`, sql`p.export_id in ${[...exportIds]}`)
}

/**
 * What creators bore for transfers whose results were booked in a time, yen, by the ids of the creators; those who bore nothing are left out.
 * @param from ms since 1970 @param to the first moment after it, ms since 1970
 */
export async function borneByCreators(
  db: Db,
  creatorIds: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Map<string, number>> {
  if (creatorIds.length === 0) return new Map()
  const [first, end] = [new Date(from).toISOString(), new Date(to).toISOString()]
  return borneBy(
    db,
    sql`p.creator_id`,
    sql`p.creator_id in ${[...creatorIds]} and e.at >= ${first}::timestamptz and e.at < ${end}::timestamptz`,
  )
}
