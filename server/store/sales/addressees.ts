// To whom statements are made out, encrypted.
import { statementAddressees } from '#server/store/tables/ledger.ts'
import { eq } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

export async function addStatementAddressees(
  tx: Db,
  rows: readonly (typeof statementAddressees.$inferInsert)[],
): Promise<void> {
  if (rows.length > 0) await tx.insert(statementAddressees).values([...rows])
}

/** The encrypted name; undefined for a statement without one. */
export async function findStatementAddressee(db: Db, statementId: string): Promise<string | undefined> {
  const rows = await db
    .select({ sealed: statementAddressees.sealed })
    .from(statementAddressees)
    .where(eq(statementAddressees.statementId, statementId))
  return rows[0]?.sealed
}
