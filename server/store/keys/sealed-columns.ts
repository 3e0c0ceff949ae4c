// Every column with encrypted values: reading them in order, and replacing one.
import { statementAddressees } from '#server/store/tables/ledger.ts'
import { receiptIssues } from '#server/store/tables/payments.ts'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '#server/store/database.ts'
import { authorityExports, inquiries, inquiryEvents, retainedKeys } from '#server/store/tables/audit.ts'
import { emails, secondFactors } from '#server/store/tables/accounts.ts'
import { bankAccounts, departedPayees } from '#server/store/tables/bank-accounts.ts'
import { identityFiles } from '#server/store/tables/identity.ts'
import { reportedMessages } from '#server/store/tables/moderation.ts'
import { payoutExports } from '#server/store/tables/payouts.ts'
import { sellers } from '#server/store/tables/sellers.ts'

/** The purposes of `Secrets.seal` whose results are stored. */
type SealedPurpose =
  | 'identity'
  | 'second-factor'
  | 'bank-account'
  | 'departed-payee'
  | 'seller'
  | 'transfer-file'
  | 'authority-export'
  | 'reported-message'
  | 'letter'
  | 'inquiry'
  | 'retained-key'
  | 'receipt'
  | 'statement'

export interface SealedColumn {
  readonly table: PgTable
  readonly column: PgColumn
  readonly purpose: SealedPurpose
  /** The columns of the primary key. */
  readonly key: readonly PgColumn[]
  /** Whether values are encrypted for an owner, which is then the key: its columns with a space between them. */
  readonly isOwned: boolean
  /** Whether a value may have megabytes: such ones are read one by one. */
  readonly isLarge?: boolean
}

/** Keyed hashes and tokens are not here: they are found or verified by every key, and end. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: identityFiles,
    column: identityFiles.sealedKey,
    purpose: 'identity',
    key: [identityFiles.id],
    isOwned: false,
  },
  {
    table: secondFactors,
    column: secondFactors.sealed,
    purpose: 'second-factor',
    key: [secondFactors.userId],
    isOwned: true,
  },
  {
    table: bankAccounts,
    column: bankAccounts.sealed,
    purpose: 'bank-account',
    key: [bankAccounts.userId],
    isOwned: true,
  },
  {
    table: departedPayees,
    column: departedPayees.sealed,
    purpose: 'departed-payee',
    key: [departedPayees.userId],
    isOwned: true,
  },
  { table: sellers, column: sellers.sealed, purpose: 'seller', key: [sellers.userId], isOwned: true },
  {
    table: receiptIssues,
    column: receiptIssues.sealed,
    purpose: 'receipt',
    key: [receiptIssues.id],
    isOwned: true,
  },
  {
    table: statementAddressees,
    column: statementAddressees.sealed,
    purpose: 'statement',
    key: [statementAddressees.statementId],
    isOwned: true,
  },
  {
    table: payoutExports,
    column: payoutExports.sealed,
    purpose: 'transfer-file',
    key: [payoutExports.id],
    isOwned: true,
    isLarge: true,
  },
  {
    table: authorityExports,
    column: authorityExports.sealed,
    purpose: 'authority-export',
    key: [authorityExports.id],
    isOwned: true,
    isLarge: true,
  },
  {
    table: reportedMessages,
    column: reportedMessages.sealed,
    purpose: 'reported-message',
    key: [reportedMessages.reportId, reportedMessages.seq],
    isOwned: true,
  },
  { table: emails, column: emails.sealed, purpose: 'letter', key: [emails.id], isOwned: false },
  { table: inquiries, column: inquiries.sealed, purpose: 'inquiry', key: [inquiries.id], isOwned: true },
  {
    table: inquiryEvents,
    column: inquiryEvents.sealed,
    purpose: 'inquiry',
    key: [inquiryEvents.id],
    isOwned: true,
  },
  {
    table: retainedKeys,
    column: retainedKeys.sealed,
    purpose: 'retained-key',
    key: [retainedKeys.fingerprint, retainedKeys.purpose],
    isOwned: true,
  },
]

export interface SealedValue {
  /** Values of the key's columns, as text. */
  readonly key: readonly string[]
  readonly sealed: string
}

const BATCH = 500

const tuple = (parts: readonly (PgColumn | SQL)[]) => sql`(${sql.join([...parts], sql`, `)})`
/** Values as the types of the key's columns, so that its index is used. */
const typed = ({ key }: SealedColumn, values: readonly string[]) =>
  tuple(key.map((it, n) => sql`${values[n]}::text::${sql.raw(it.getSQLType())}`))

/** The next rows with a value, in the order of their keys. @param after the key of the last one that was read */
export async function listSealed(
  db: Db,
  it: SealedColumn,
  after: readonly string[] | undefined,
): Promise<SealedValue[]> {
  const { table, column, key, isLarge = false } = it
  return db
    .select({
      key: sql<string[]>`array[${sql.join(
        key.map((one) => sql`${one}::text`),
        sql`, `,
      )}]`,
      sealed: sql<string>`${column}`,
    })
    .from(table)
    .where(and(ne(column, ''), after && sql`${tuple(key)} > ${typed(it, after)}`))
    .orderBy(...key)
    .limit(isLarge ? 1 : BATCH)
}

/** Replaces a value unless it was changed meanwhile. @returns whether it was replaced */
export async function replaceSealed(
  db: Db,
  it: SealedColumn,
  { key, sealed }: SealedValue,
  to: string,
): Promise<boolean> {
  const { table, column } = it
  const { rows } = (await db.execute(sql`
    update ${table} set ${sql.identifier(column.name)} = ${to}
    where ${and(sql`${tuple(it.key)} = ${typed(it, key)}`, eq(column, sealed))} returning 1`)) as {
    rows: unknown[]
  }
  return rows.length === 1
}
