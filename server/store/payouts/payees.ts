// Creators as payouts need them: their account in the app, and the bank account.
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { type AccountState, stateOf } from '#server/store/people/people.ts'
import { deletions } from '#server/store/tables/accounts.ts'
import { bankAccounts, departedPayees } from '#server/store/tables/bank-accounts.ts'
import { users } from '#server/store/tables/people.ts'
import { userDetails } from '#server/store/tables/settings.ts'
import type { BankAccountRow } from './bank-accounts.ts'

export interface Payee {
  readonly state: AccountState
  readonly suspendedAt: Date | null
  /** When the account is to be deleted was said; null when it was not. */
  readonly leavingSince: Date | null
  /** The name of the account information and its reading, each '' without one. */
  readonly legalName: string
  readonly legalNameKana: string
  /** When they were another last; null without any. */
  readonly namedAt: Date | null
  /** Null unless the account was deleted with money. */
  readonly departed: typeof departedPayees.$inferSelect | null
  readonly deletedAt: Date | null
  /** Undefined without one and after its removal. */
  readonly account: BankAccountRow | undefined
}

/** Payees by the ids of creators. */
export async function findPayees(db: Db, creatorIds: readonly string[]): Promise<Map<string, Payee>> {
  if (creatorIds.length === 0) return new Map()
  const { id, deletedAt, suspendedAt } = users
  const rows = await db
    .select({
      id,
      deletedAt,
      suspendedAt,
      leavingId: deletions.userId,
      leavingSince: deletions.requestedAt,
      details: userDetails,
      account: bankAccounts,
      departed: departedPayees,
    })
    .from(users)
    .leftJoin(deletions, eq(deletions.userId, users.id))
    .leftJoin(userDetails, eq(userDetails.userId, users.id))
    .leftJoin(bankAccounts, and(eq(bankAccounts.userId, users.id), isNull(bankAccounts.removedAt)))
    .leftJoin(departedPayees, eq(departedPayees.userId, users.id))
    .where(inArray(users.id, [...new Set(creatorIds)]))
  return new Map(
    rows.map((row) => [
      row.id,
      {
        state: stateOf(row.deletedAt, row.suspendedAt, row.leavingId),
        suspendedAt: row.suspendedAt,
        leavingSince: row.leavingSince,
        legalName: row.details?.legalName ?? '',
        legalNameKana: row.details?.legalNameKana ?? '',
        namedAt: row.details?.updatedAt ?? null,
        departed: row.departed,
        deletedAt: row.deletedAt,
        account: row.account ?? undefined,
      },
    ]),
  )
}
