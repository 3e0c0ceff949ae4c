// Tables, sequences and foreign keys of a database that is moved.

/** Runs a statement with parameters. */
export interface Rows {
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface Table {
  /** With its schema, in quotes where needed. */
  readonly name: string
  /** In quotes; without generated ones, which the target computes. */
  readonly columns: readonly string[]
}

/** Schemas of the server and of its jobs. Migrations are made in the target itself. */
const SCHEMAS = `('public', 'pgboss')`

/** Tables with rows of their own, in the order of their names. */
export const listTables = (session: Rows): Promise<Table[]> =>
  session.rows(
    `select format('%I.%I', n.nspname, c.relname) as name,
       (select coalesce(array_agg(quote_ident(a.attname) order by a.attname), '{}') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ${SCHEMAS} order by 1`,
  )

/** Differences of two lists of tables, a text for each. */
export function differencesOf(one: readonly Table[], other: readonly Table[]): string[] {
  const texts = (all: readonly Table[]) => new Set(all.map((it) => `${it.name} (${it.columns.join(', ')})`))
  const [ofOne, ofOther] = [texts(one), texts(other)]
  return [...ofOne].filter((it) => !ofOther.has(it)).concat([...ofOther].filter((it) => !ofOne.has(it)))
}

export interface Contents {
  readonly rows: number
  /** Sums of the two halves of the hash of each row, so that the order of rows does not matter. */
  readonly digest: string
}

/** Reads a whole table. Both databases must have the same time zone. */
export async function contentsOf(session: Rows, { name, columns }: Table): Promise<Contents> {
  const half = (from: number) => `coalesce(sum(('x' || substr(h, ${from}, 15))::bit(60)::bigint), 0)`
  const [row] = await session.rows<Contents>(
    `select count(*)::int as rows, ${half(1)} || ':' || ${half(17)} as digest
     from (select md5(row(${columns.join(', ')})::text) as h from ${name}) as hashed`,
  )
  return row ?? { rows: 0, digest: '' }
}

export interface Sequence {
  readonly name: string
  readonly last: string
  readonly isCalled: boolean
}

/** The state of each sequence. */
export async function listSequences(session: Rows): Promise<Sequence[]> {
  const names = await session.rows<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and n.nspname in ${SCHEMAS} order by 1`,
  )
  const all: Sequence[] = []
  for (const { name } of names) {
    const [row] = await session.rows<{ last: string; called: boolean }>(
      `select last_value::text as last, is_called as called from ${name}`,
    )
    if (row) all.push({ name, last: row.last, isCalled: row.called })
  }
  return all
}

/** Statements that remove all foreign keys, and those that make them again and so check them. */
export async function foreignKeyStatements(
  session: Rows,
): Promise<{ readonly remove: readonly string[]; readonly make: readonly string[] }> {
  const keys = await session.rows<{ table: string; name: string; made: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as made
     from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text in ${SCHEMAS}`,
  )
  return {
    remove: keys.map((it) => `alter table ${it.table} drop constraint ${it.name}`),
    make: keys.map((it) => `alter table ${it.table} add constraint ${it.name} ${it.made}`),
  }
}

/** Statements that disable all triggers, which count and refuse what the source has counted and has, and those that enable them again. */
export async function triggerStatements(
  session: Rows,
): Promise<{ readonly disable: readonly string[]; readonly enable: readonly string[] }> {
  const triggers = await session.rows<{ table: string; name: string; always: boolean }>(
    `select tgrelid::regclass::text as table, quote_ident(tgname) as name, tgenabled = 'A' as always
     from pg_trigger join pg_class c on c.oid = tgrelid
     where not tgisinternal and tgenabled in ('O', 'A') and c.relnamespace::regnamespace::text in ${SCHEMAS}`,
  )
  return {
    disable: triggers.map((it) => `alter table ${it.table} disable trigger ${it.name}`),
    enable: triggers.map(
      (it) => `alter table ${it.table} enable ${it.always ? 'always ' : ''}trigger ${it.name}`,
    ),
  }
}
