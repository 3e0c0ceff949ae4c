// The comment of a database that a restore has begun and not completed.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/** `restore`: the database is filled from a backup. `settle`: another program has filled it, and it is settled. */
export type RestoreKind = 'restore' | 'settle'

const marks: Readonly<Record<RestoreKind, string>> = {
  restore: 'todoke: restoring',
  settle: 'todoke: settling',
}
const kinds = ['restore', 'settle'] as const

/** A database without all that a backup has; no server runs on it. */
export class UnfinishedRestore extends Error {
  constructor() {
    super(
      'このデータベースは、バックアップからの復元が終わっていません。コマンド backup restore（ほかのプログラムで戻したときは backup settle）をもう一度実行してください。',
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
  /** What was begun and not completed. */
  readonly begun: RestoreKind | undefined
}

const ofPeople = sql.raw(`nspname !~ '^pg_' and nspname <> 'information_schema'`)

export async function readTargetFacts(db: Db): Promise<TargetFacts> {
  const { rows } = (await db.execute(sql`
    select d.datname as name, pg_has_role(d.datdba, 'USAGE') as "isOwner",
      shobj_description(d.oid, 'pg_database') as mark,
      (select count(*)::int from pg_stat_activity a where a.datid = d.oid and a.pid <> pg_backend_pid()
        and coalesce(a.backend_type, 'client backend') = 'client backend') as sessions,
      exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where c.relkind in ('r', 'p') and ${ofPeople}) as "isFilled"
    from pg_database d where d.datname = current_database()`)) as {
    rows: (Omit<TargetFacts, 'begun'> & { mark: string | null })[]
  }
  const [row] = rows
  if (!row) throw new Error('the database of the session has no row')
  const { mark, ...facts } = row
  return { ...facts, begun: kinds.find((it) => marks[it] === mark) }
}

/** Marks the database, or removes the mark of what is complete. */
export async function markRestore(db: Db, name: string, state: RestoreKind | 'complete'): Promise<void> {
  const comment = state === 'complete' ? null : marks[state]
  const { rows } = (await db.execute(
    sql`select format('comment on database %I is %L', ${name}::text, ${comment}::text) as statement`,
  )) as { rows: { statement: string }[] }
  for (const { statement } of rows) await db.execute(sql.raw(statement))
}

/** Removes all tables, functions and types, in one transaction. */
export async function emptyDatabase(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const { rows } = (await tx.execute(
      sql`select format('drop schema %I cascade', nspname) as statement from pg_namespace where ${ofPeople}`,
    )) as { rows: { statement: string }[] }
    for (const { statement } of rows) await tx.execute(sql.raw(statement))
    await tx.execute(sql.raw('create schema public'))
  })
}

/**
 * Ends the program that restores a dump for a process that was killed; its transaction is undone. While another session is on the
 * database, which may be that process, it ends nothing.
 * @param name `application_name` of the program's session
 */
export async function endLeftRestore(db: Db, name: string): Promise<void> {
  // The function waits up to so many milliseconds for the end of the session.
  await db.execute(sql`
    with others as (
      select pid, application_name = ${name} and usename = current_user as "isLeft" from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()
        and coalesce(backend_type, 'client backend') = 'client backend'
    )
    select pg_terminate_backend(pid, 30000) from others
    where "isLeft" and (select bool_and("isLeft") from others)`)
}

/** @throws UnfinishedRestore for a database that a restore has not completed */
export async function refuseUnfinishedRestore(db: Db): Promise<void> {
  if ((await readTargetFacts(db)).begun) throw new UnfinishedRestore()
}
