// Monthly statements of creators.
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import { statements } from '#server/store/tables/ledger.ts'

export type StatementRow = typeof statements.$inferSelect
/** The first day after the month of a statement. */
const nextMonth = sql`((month || '-01')::date + interval '1 month')::date`

export type NewStatement = Omit<typeof statements.$inferInsert, 'id' | 'number'>

/**
 * Creators who need a statement of a month whose days are all closed and have none, by their ids: those with entries in it, or
 * with a balance before it. One who lacks a statement of an earlier month is left out, since its balance is not known.
 * @param month its first day and that of the next month, `YYYY-MM-DD`, and its name, `YYYY-MM`
 * @param after the id of the last one before; '' for the first
 */
export async function listWithoutStatement(
  db: Db,
  { name, first, next }: { readonly name: string; readonly first: string; readonly next: string },
  after: string,
  limit: number,
): Promise<string[]> {
  const place = after === '' ? sql`true` : sql`c.creator_id > ${after}::uuid`
  const { rows } = (await db.execute(sql`
    with before as (select distinct on (creator_id) creator_id, closing, ${nextMonth} as since from statements
      where month < ${name} order by creator_id, month desc)
    select c.creator_id as id from (
      select distinct creator_id from ledger_days where day >= ${first}::date and day < ${next}::date
      union
      select creator_id from before where closing <> 0
    ) c left join before b on b.creator_id = c.creator_id
    where ${place}
      and not exists (select 1 from statements s where s.creator_id = c.creator_id and s.month = ${name})
      and (b.closing is null or b.closing = 0 or b.since = ${first}::date)
      and not exists (select 1 from ledger_days d where d.creator_id = c.creator_id
        and d.day < ${first}::date and d.day >= coalesce(b.since, '-infinity'))
    order by 1 limit ${sql.raw(String(limit))}`)) as { rows: { id: string }[] }
  return rows.map((row) => row.id)
}

/**
 * Adds statements of one month with its next numbers, `S-202611-000001`. One transaction after the other numbers a month.
 * @returns the ids of those that were added; a creator who has one gets none
 */
export async function addStatements(
  tx: Db,
  month: string,
  rows: readonly NewStatement[],
): Promise<{ id: string; creatorId: string }[]> {
  if (rows.length === 0) return []
  await tx.execute(sql`lock table statements in share row exclusive mode`)
  const known = await tx
    .select({ creatorId: statements.creatorId })
    .from(statements)
    .where(
      and(
        eq(statements.month, month),
        inArray(
          statements.creatorId,
          rows.map((row) => row.creatorId),
        ),
      ),
    )
  const taken = new Set(known.map((it) => it.creatorId))
  const made = rows.filter((row) => !taken.has(row.creatorId))
  if (made.length === 0) return []
  const before = await tx.$count(statements, eq(statements.month, month))
  const prefix = `S-${month.replace('-', '')}-`
  return tx
    .insert(statements)
    .values(made.map((row, i) => ({ ...row, number: prefix + String(before + i + 1).padStart(6, '0') })))
    .returning({ id: statements.id, creatorId: statements.creatorId })
}

/** The statement before a month, for the balance that the month begins with. */
export async function statementBefore(
  db: Db,
  creatorIds: readonly string[],
  month: string,
): Promise<Map<string, number>> {
  const rows = await db
    .selectDistinctOn([statements.creatorId], {
      creatorId: statements.creatorId,
      closing: statements.closing,
    })
    .from(statements)
    .where(and(inArray(statements.creatorId, [...creatorIds]), sql`${statements.month} < ${month}`))
    .orderBy(statements.creatorId, desc(statements.month))
  return new Map(rows.map((row) => [row.creatorId, row.closing]))
}

/** A creator's statements, the newest first. */
export function listStatements(db: Db, creatorId: string): Promise<StatementRow[]> {
  return db
    .select()
    .from(statements)
    .where(eq(statements.creatorId, creatorId))
    .orderBy(desc(statements.month))
}

/** A statement of this creator; undefined when it is another creator's. */
export async function findStatement(
  db: Db,
  creatorId: string,
  id: string,
): Promise<StatementRow | undefined> {
  const rows = await db
    .select()
    .from(statements)
    .where(and(eq(statements.id, id), eq(statements.creatorId, creatorId)))
  return rows[0]
}

/**
 * The first month (`YYYY-MM`) for which a creator needs a statement and has none; undefined when there is none.
 * @param open the first month with days that are not closed
 */
export async function firstMonthWithoutStatement(db: Db, open: string): Promise<string | undefined> {
  const { rows } = (await db.execute(sql`
    select to_char(least(
      (select min(d.month) from (select distinct creator_id, date_trunc('month', day)::date as month from ledger_days
          where day < ${`${open}-01`}::date) d
        where not exists (select 1 from statements s where s.creator_id = d.creator_id
          and s.month = to_char(d.month, 'YYYY-MM'))),
      (select min(l.since) from (select distinct on (creator_id) closing, ${nextMonth} as since from statements
          order by creator_id, month desc) l
        where l.closing <> 0 and l.since < ${`${open}-01`}::date)), 'YYYY-MM') as month`)) as {
    rows: { month: string | null }[]
  }
  return rows[0]?.month ?? undefined
}
