// What the manifest of a backup says of the database.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/** Numbers of rows by which a restored database is compared with its backup. */
export interface RowCounts {
  readonly people: number
  readonly posts: number
  readonly messages: number
  /** Payments that were paid and not refunded. */
  readonly paid_payments: number
  readonly ledger_entries: number
}

export interface BackupFacts {
  /** Times of the migrations, milliseconds since 1970; each names one. */
  readonly migrations: readonly number[]
  /** Fingerprints of the servers' keys, by their names. */
  readonly keys: Readonly<Record<string, string>>
}

async function rowsOf<Row>(db: Db, statement: ReturnType<typeof sql>): Promise<Row[]> {
  return ((await db.execute(statement)) as { rows: Row[] }).rows
}

export async function countRowsOfBackup(db: Db): Promise<RowCounts> {
  const [row] = await rowsOf<Record<keyof RowCounts, number>>(
    db,
    sql`select (select count(*)::int from users) as people, (select count(*)::int from posts) as posts,
      (select count(*)::int from messages) as messages,
      (select count(*)::int from payments where state = 'paid') as paid_payments,
      (select count(*)::int from ledger_entries) as ledger_entries`,
  )
  if (!row) throw new Error('a statement without tables has no row')
  return row
}

export async function readBackupFacts(db: Db): Promise<BackupFacts> {
  const migrations = await rowsOf<{ at: string }>(
    db,
    sql`select created_at::text as at from drizzle.__drizzle_migrations order by 1`,
  )
  const keys = await rowsOf<{ name: string; fingerprint: string }>(
    db,
    sql`select name, fingerprint from server_keys`,
  )
  return {
    migrations: migrations.map(({ at }) => Number(at)),
    keys: Object.fromEntries(keys.map((it) => [it.name, it.fingerprint])),
  }
}
