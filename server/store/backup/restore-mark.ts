// The comment of a database that a restore has begun and not completed.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

const MARK = 'todoke: restoring'

/** A database without all that a backup has; no server runs on it. */
export class UnfinishedRestore extends Error {
  constructor() {
    super(
      'このデータベースは、バックアップからの復元が終わっていません。npm run admin -- backup restore をもう一度実行してください。',
    )
    this.name = 'UnfinishedRestore'
  }
}

/** What a restore must know of the database of this session, on PostgreSQL. */
export interface TargetFacts {
  readonly name: string
  /** Whether the user of this session owns it. */
  readonly isOwner: boolean
  /** Other sessions of clients. */
  readonly sessions: number
  /** Whether it has tables. */
  readonly isFilled: boolean
  /** Whether a restore of it was begun and not completed. */
  readonly isBegun: boolean
}

const ofPeople = sql.raw(`nspname !~ '^pg_' and nspname <> 'information_schema'`)

export async function readTargetFacts(db: Db): Promise<TargetFacts> {
  const { rows } = (await db.execute(sql`
    select d.datname as name, pg_has_role(d.datdba, 'USAGE') as "isOwner",
      coalesce(shobj_description(d.oid, 'pg_database') = ${MARK}, false) as "isBegun",
      (select count(*)::int from pg_stat_activity a where a.datid = d.oid and a.pid <> pg_backend_pid()
        and coalesce(a.backend_type, 'client backend') = 'client backend') as sessions,
      exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and ${ofPeople}) as "isFilled"
    from pg_database d where d.datname = current_database()`)) as unknown as { rows: TargetFacts[] }
  const [row] = rows
  if (!row) throw new Error('the database of the session has no row')
  return row
}

/** Marks the database, or removes the mark of a restore that is complete. */
export async function markRestore(db: Db, name: string, state: 'begun' | 'complete'): Promise<void> {
  const comment = state === 'begun' ? MARK : null
  const { rows } = (await db.execute(
    sql`select format('comment on database %I is %L', ${name}::text, ${comment}::text) as statement`,
  )) as unknown as { rows: { statement: string }[] }
  for (const { statement } of rows) await db.execute(sql.raw(statement))
}

/** Removes all tables, functions and types. */
export async function emptyDatabase(db: Db): Promise<void> {
  const { rows } = (await db.execute(
    sql`select format('drop schema %I cascade', nspname) as statement from pg_namespace where ${ofPeople}`,
  )) as unknown as { rows: { statement: string }[] }
  for (const { statement } of rows) await db.execute(sql.raw(statement))
  await db.execute(sql.raw('create schema public'))
}

/** @throws UnfinishedRestore for a database that a restore has not completed */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if ((await readTargetFacts(db)).isBegun) throw new UnfinishedRestore()
}
