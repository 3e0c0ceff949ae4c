// Bank accounts of creators: one for a person, its number and holder sealed.
import { and, type AnyColumn, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { NameCheck } from '#contract/payouts/bank-account.ts'
import type { Residence } from '#contract/payouts/residence.ts'
import type { Db } from '#server/store/database.ts'
import { bankAccounts, departedPayees } from '#server/store/tables/bank-accounts.ts'
import { users } from '#server/store/tables/people.ts'
import { userDetails } from '#server/store/tables/settings.ts'

export type BankAccountRow = Omit<typeof bankAccounts.$inferSelect, 'removedAt'>

/** A person's account; undefined without one and after its removal. */
export async function findBankAccount(db: Db, userId: string): Promise<BankAccountRow | undefined> {
  const rows = await db
    .select()
    .from(bankAccounts)
    .where(and(eq(bankAccounts.userId, userId), isNull(bankAccounts.removedAt)))
  return rows[0]
}

/** Whether a person has or had an account. */
export async function hadBankAccount(db: Db, userId: string): Promise<boolean> {
  return (await db.$count(bankAccounts, eq(bankAccounts.userId, userId))) > 0
}

/** Stores the account in the place of an earlier one. The person is locked before (`lockUser`). */
export async function setBankAccount(tx: Db, row: BankAccountRow): Promise<void> {
  const { userId: _owner, ...changed } = row
  await tx
    .insert(bankAccounts)
    .values(row)
    .onConflictDoUpdate({ target: bankAccounts.userId, set: { ...changed, removedAt: null } })
}

/** Sets the comparison of the holder with the legal name, which changes nothing else. */
export async function setNameCheck(tx: Db, userId: string, nameCheck: NameCheck): Promise<void> {
  await tx.update(bankAccounts).set({ nameCheck }).where(eq(bankAccounts.userId, userId))
}

/** Stores where the owner of an account lives. The person is locked before (`lockUser`). */
export async function setResidence(
  tx: Db,
  userId: string,
  { residence, at }: { readonly residence: Residence; readonly at: Date },
): Promise<void> {
  await tx.update(bankAccounts).set({ residence, residenceAt: at }).where(eq(bankAccounts.userId, userId))
}

/** The reading of the legal name as the approved identity check had it; '' if it was changed since, or empty. */
export async function findReviewedKana(db: Db, userId: string): Promise<string> {
  const rows = await db
    .select({ kana: userDetails.legalNameKana })
    .from(users)
    .innerJoin(userDetails, eq(userDetails.userId, users.id))
    .where(and(eq(users.id, userId), lte(userDetails.updatedAt, users.identifiedAt)))
  return rows[0]?.kana ?? ''
}

/** Empties the account. @returns false if there was none */
export async function removeBankAccountOf(tx: Db, userId: string, now: number): Promise<boolean> {
  const removedAt = new Date(now)
  const emptied = { bankCode: '', branchCode: '', lastDigits: '', sealed: '', nameCheck: 'unknown' } as const
  const rows = await tx
    .update(bankAccounts)
    .set({ ...emptied, changedAt: removedAt, heldUntil: null, residence: null, residenceAt: null, removedAt })
    .where(and(eq(bankAccounts.userId, userId), isNull(bankAccounts.removedAt)))
    .returning({ userId: bankAccounts.userId })
  return rows.length > 0
}

/** For a where clause: the person in this column has a balance, or a payout that is open. */
export const isOwed = (userId: AnyColumn | SQL): SQL => sql`(
  exists (select 1 from payouts p where p.creator_id = ${userId}
    and p.state in ('requested', 'held', 'approved', 'exported'))
  or coalesce((select sum(l.amount) from ledger_lines l
    where l.account = 'creator_payable' and l.creator_id = ${userId}), 0) <> 0)`

/** A person's balance in the ledger, yen. */
export async function payableTo(db: Db, userId: string): Promise<number> {
  const { rows } = (await db.execute(sql`select coalesce(-sum(amount), 0)::float8 as balance from ledger_lines
    where account = 'creator_payable' and creator_id = ${userId}::uuid`)) as { rows: { balance: number }[] }
  return rows[0]?.balance ?? 0
}

export async function isOwedTo(db: Db, userId: string): Promise<boolean> {
  const { rows } = (await db.execute(sql`select ${isOwed(sql`${userId}::uuid`)} as owed`)) as {
    rows: { owed: boolean }[]
  }
  return rows[0]?.owed === true
}

/** Removes what payouts to deleted people need, each once nothing is owed: their money is still theirs. */
export async function removeUnneededAccounts(tx: Db): Promise<void> {
  const isGone = (userId: AnyColumn) =>
    sql`exists (select 1 from users u where u.id = ${userId} and u.deleted_at is not null)`
  for (const { userId, table } of [
    // First, since a trigger keeps the account while this row is here.
    { userId: departedPayees.userId, table: departedPayees },
    { userId: bankAccounts.userId, table: bankAccounts },
  ])
    await tx.delete(table).where(sql`${isGone(userId)} and not ${isOwed(userId)}`)
}
