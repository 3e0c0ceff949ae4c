// The comment by which a database is a copy, with or without personal data.
import { sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'

/**
 * `copy`: the operator wrote it, so that the database may be changed. `rewritten`: its rows have no personal data, its
 * files on the disk may. `anonymised`: neither has.
 */
export type CopyState = 'copy' | 'rewritten' | 'anonymised'

export const copyMarks: Readonly<Record<CopyState, string>> = {
  copy: 'todoke: copy',
  rewritten: 'todoke: copy, rewritten',
  anonymised: 'todoke: anonymised',
}

/** A copy that may still have personal data; no server runs on it. */
export class UnfinishedCopy extends Error {
  constructor() {
    super(
      'このデータベースは、まだ匿名化していないコピーです。コマンド database anonymise を実行してください。',
    )
    this.name = 'UnfinishedCopy'
  }
}

/** What the database and the other sessions on it are. */
export interface CopyFacts {
  readonly name: string
  /** Undefined for a database that is not marked as a copy. */
  readonly state: CopyState | undefined
  /** Whether the user of this session owns it. */
  readonly isOwner: boolean
  /** Other sessions of clients. */
  readonly sessions: number
}

/** Facts about the database of this session, on PostgreSQL. */
export async function readCopyFacts(db: Db): Promise<CopyFacts> {
  // Without the right to see another user's session, its kind is null; it counts as one of a client.
  const { rows } = (await db.execute(sql`
    select d.datname as name, shobj_description(d.oid, 'pg_database') as mark,
      pg_has_role(d.datdba, 'USAGE') as "isOwner",
      (select count(*)::int from pg_stat_activity a where a.datid = d.oid and a.pid <> pg_backend_pid()
        and coalesce(a.backend_type, 'client backend') = 'client backend') as sessions
    from pg_database d where d.datname = current_database()`)) as {
    rows: (Omit<CopyFacts, 'state'> & { mark: string | null })[]
  }
  const [row] = rows
  if (!row) throw new Error('the database of the session has no row')
  const { mark, ...facts } = row
  const states = Object.keys(copyMarks) as CopyState[]
  return { ...facts, state: states.find((it) => copyMarks[it] === mark) }
}

/** Marks the database of this session; inside a transaction together with it. */
export async function markCopy(db: Db, name: string, state: CopyState): Promise<void> {
  const { rows } = (await db.execute(
    sql`select format('comment on database %I is %L', ${name}::text, ${copyMarks[state]}::text) as statement`,
  )) as { rows: { statement: string }[] }
  for (const { statement } of rows) await db.execute(sql.raw(statement))
}

/** @throws UnfinishedCopy for a copy that is not anonymised */
export async function refuseUnfinishedCopy(db: Db): Promise<void> {
  const { state } = await readCopyFacts(db)
  if (state === 'copy' || state === 'rewritten') throw new UnfinishedCopy()
}
