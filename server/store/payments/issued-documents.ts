// Copies of receipts and statements for the operator: the search, and their end.
import { type SQL, sql } from 'drizzle-orm'
import type { IssuedKind } from '#contract/payments/issued-names.ts'
import type { Db } from '#server/store/database.ts'
import { momentOf } from '#server/store/statement.ts'

export interface IssuedRow {
  readonly id: string
  readonly number: string
  readonly issue: number
  /** As the database prints it. */
  readonly issuedAt: string
  readonly amount: number
  readonly refundedAmount: number
  readonly fee: number
  /** '' where nothing is stored. */
  readonly sealed: string
  readonly addressee: string
  /** Null for a statement. */
  readonly buyerId: string | null
  readonly creatorId: string
  /** Of who issues a statement. */
  readonly issuerNumber: string
}

export interface IssuedFilter {
  /** The first moment, and the first one after it, ms since 1970. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** Yen. */
  readonly least: number | undefined
  readonly most: number | undefined
  readonly after: { readonly at: Date; readonly id: string } | undefined
}

const sources: Record<IssuedKind, SQL> = {
  receipt: sql`select i.id, r.number, i.issue, i.issued_at, i.amount, i.refunded_amount, 0 as fee, i.sealed, i.addressee,
      p.user_id as buyer_id, p.creator_id, '' as issuer_number
    from receipt_issues i join receipts r on r.payment_id = i.payment_id join payments p on p.id = i.payment_id`,
  statement: sql`select s.id, s.number, 1 as issue, s.issued_at, s.net::float8 as amount, 0 as refunded_amount,
      (s.fee + s.fee_tax + coalesce(s.transfer_fee, 0))::float8 as fee, coalesce(a.sealed, '') as sealed, '' as addressee,
      null::uuid as buyer_id, s.creator_id, s.issuer_number
    from statements s left join statement_addressees a on a.statement_id = s.id`,
}

const within = (column: SQL, { least, most }: IssuedFilter): SQL =>
  sql`(${column} >= ${least ?? -2_000_000_000} and ${column} <= ${most ?? 2_000_000_000})`

/** Issues of receipts or statements, the newest first. @param filter `after` is the last row before */
export async function listIssued(
  db: Db,
  kind: IssuedKind,
  filter: IssuedFilter,
  limit: number,
): Promise<IssuedRow[]> {
  const { from, to, after } = filter
  const amounts =
    kind === 'receipt'
      ? within(sql`it.amount`, filter)
      : sql`(${within(sql`it.amount`, filter)} or ${within(sql`it.fee`, filter)})`
  const parts = [
    amounts,
    ...(from === undefined ? [] : [sql`it.issued_at >= ${momentOf(from)}::timestamptz`]),
    ...(to === undefined ? [] : [sql`it.issued_at < ${momentOf(to)}::timestamptz`]),
    ...(after ? [sql`(it.issued_at, it.id) < (${momentOf(after.at)}::timestamptz, ${after.id}::uuid)`] : []),
  ]
  const { rows } = (await db.execute(sql`
    select it.id, it.number, it.issue, it.issued_at as "issuedAt", it.amount, it.refunded_amount as "refundedAmount",
      it.fee, it.sealed, it.addressee, it.buyer_id as "buyerId", it.creator_id as "creatorId", it.issuer_number as "issuerNumber"
    from (${sources[kind]}) it where ${sql.join(parts, sql` and `)}
    order by it.issued_at desc, it.id desc limit ${sql.raw(String(limit))}`)) as { rows: IssuedRow[] }
  return rows
}

/** Removes names in copies from before a time, of people whose account is deleted. @param before ms since 1970 */
export async function removeOldNames(db: Db, before: number): Promise<void> {
  const old = sql`issued_at < ${momentOf(before)}::timestamptz`
  await db.execute(sql`update receipt_issues i set sealed = '', addressee = '' from payments p join users u on u.id = p.user_id
    where p.id = i.payment_id and u.deleted_at is not null and (i.sealed <> '' or i.addressee <> '') and i.${old}`)
  await db.execute(sql`delete from statement_addressees a using users u
    where u.id = a.creator_id and u.deleted_at is not null and a.${old}`)
}
