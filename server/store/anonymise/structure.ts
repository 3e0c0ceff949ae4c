// Structure of the database during an anonymisation: unknown columns, foreign keys, triggers, statistics.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { TableRules } from './rules.ts'

async function read<T>(db: Db, query: SQL): Promise<T[]> {
  return ((await db.execute(query)) as { rows: T[] }).rows
}

/** Schemas without rows of people: migrations, and jobs, which are dropped as a whole. */
const OTHER_SCHEMAS: ReadonlySet<string> = new Set(['drizzle', 'pgboss'])

interface ColumnRow {
  readonly schema: string
  readonly table: string
  readonly column: string
}

/** Columns of the database that have no rule, such as those of a table that the program does not know. */
export async function columnsWithoutRule(db: Db, rules: readonly TableRules[]): Promise<string[]> {
  const known = new Map(rules.map((it) => [it.name, it.types]))
  const rows = await read<ColumnRow>(
    db,
    sql`select n.nspname as schema, c.relname as "table", a.attname as "column" from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'm', 'f') and c.relpersistence <> 't' and a.attnum > 0 and not a.attisdropped
        and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema' order by 1, 2, a.attnum`,
  )
  return rows
    .filter(({ schema }) => !OTHER_SCHEMAS.has(schema))
    .filter(({ schema, table, column }) => schema !== 'public' || known.get(table)?.has(column) !== true)
    .map((it) => [it.schema, it.table, it.column].join('.'))
}

/** The tables of the rules that the database does not have. */
export async function missingTables(db: Db, rules: readonly TableRules[]): Promise<string[]> {
  const rows = await read<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`,
  )
  const there = new Set(rows.map((it) => it.name))
  return rules.map((it) => it.name).filter((it) => !there.has(it))
}

const each = async (tx: Db, statements: readonly string[]) => {
  for (const it of statements) await tx.execute(sql.raw(it))
}

const listStatements = async (tx: Db, query: SQL) =>
  (await read<{ statement: string }>(tx, query)).map((it) => it.statement)

/** Locks every table, so that no other session reads or writes a row until the end. */
export async function lockTables(tx: Db, rules: readonly TableRules[]): Promise<void> {
  const names = rules.map((it) => sql.identifier(it.name))
  await tx.execute(sql`lock table ${sql.join(names, sql`, `)} in access exclusive mode`)
}

const foreign = (what: SQL) => sql`select ${what} as statement from pg_constraint
  where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid, conname`
/** Indexes that no constraint needs; building one again is faster than changing it for each row. */
const indexes = (what: SQL) => sql`select ${what} as statement from pg_index
  where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace) and not indisunique
  order by indexrelid::regclass::text`

/**
 * Runs the work without foreign keys, triggers of the schema and indexes that are not unique. The foreign keys are added
 * again afterwards, which compares all rows.
 */
export async function withoutReferences(
  tx: Db,
  rules: readonly TableRules[],
  work: () => Promise<void>,
): Promise<void> {
  const again = [
    ...(await listStatements(tx, indexes(sql`pg_get_indexdef(indexrelid)`))),
    ...(await listStatements(
      tx,
      foreign(
        sql`format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))`,
      ),
    )),
  ]
  await each(
    tx,
    await listStatements(
      tx,
      foreign(sql`format('alter table %s drop constraint %I', conrelid::regclass, conname)`),
    ),
  )
  await each(tx, await listStatements(tx, indexes(sql`format('drop index %s', indexrelid::regclass)`)))
  const triggers = (state: string) =>
    each(
      tx,
      rules.map((it) => `alter table "${it.name}" ${state} trigger user`),
    )
  await triggers('disable')
  await work()
  await triggers('enable')
  await each(tx, again)
}

/** Drops the jobs; the next start of a server creates their tables. */
export async function dropJobs(tx: Db): Promise<void> {
  await tx.execute(sql`drop schema if exists pgboss cascade`)
}

/**
 * Removes the statistics of tables without rows, which contain frequent values of the removed rows: `analyze` does not
 * replace them. Giving a column its own type does. Triggers that name a column are in its way, and are created again.
 */
export async function removeStatistics(tx: Db): Promise<void> {
  const tables = await read<{ name: string }>(
    tx,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and exists (select 1 from pg_stats where schemaname = 'public' and tablename = relname) order by 1`,
  )
  for (const { name } of tables) {
    const [row] = await read<{ some: boolean }>(
      tx,
      sql`select exists (select 1 from ${sql.identifier(name)}) as some`,
    )
    if (row?.some === true) continue
    const of = sql`tgrelid = ${`public."${name}"`}::regclass and not tgisinternal`
    const again = await listStatements(
      tx,
      sql`select pg_get_triggerdef(oid) as statement from pg_trigger where ${of} order by tgname`,
    )
    await each(
      tx,
      await listStatements(
        tx,
        sql`select format('drop trigger %I on %s', tgname, tgrelid::regclass) as statement from pg_trigger where ${of}`,
      ),
    )
    await each(
      tx,
      await listStatements(
        tx,
        sql`select format('alter table %s alter column %I type %s', attrelid::regclass, attname, format_type(atttypid, atttypmod))
          as statement from pg_attribute
          where attrelid = ${`public."${name}"`}::regclass and attnum > 0 and not attisdropped`,
      ),
    )
    await each(tx, again)
  }
}
