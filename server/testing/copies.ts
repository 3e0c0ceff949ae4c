// A filled PostgreSQL database, its copies, and a search in all of a copy.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { defined } from '#contract/testing/defined.ts'
import { allRules } from '#server/store/anonymise/all.ts'
import { copyMarks } from '#server/store/anonymise/copy-mark.ts'
import type { TableRules } from '#server/store/anonymise/rules.ts'
import { seedDemo } from '#server/modules/demo/seed.ts'
import { livePerson } from '#server/testing/people/live-person.ts'
import { openWorld, storedAt } from '#server/testing/world.ts'

/** What no copy may contain: a text in several scripts with a mention and a link. */
export const MARKER = 'しるしなまえ漢字Marker\n@marker_handle https://marker.example/ 192.0.2.99'
/** Each part is searched for; the short one is for columns of three bytes. */
export const MARKER_PARTS = ['しるし', 'Marker', 'marker', '192.0.2.99', '印']

export interface Session {
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

export async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  client.on('error', () => undefined)
  return {
    rows: async (text, values = []) => (await client.query(text, [...values])).rows as never[],
    close: () => client.end(),
  }
}

/** Runs statements by a session of their own. */
export async function runOn(url: string, ...statements: string[]): Promise<void> {
  const session = await openSession(url)
  for (const it of statements) await session.rows(it)
  await session.close()
}

interface ColumnRow {
  readonly name: string
  readonly type: string
  /** The table that it refers to, and the column there. */
  readonly target: string | null
  readonly key: string | null
}

export async function rowsOf<T>(url: string, text: string): Promise<T[]> {
  const session = await openSession(url)
  const rows = await session.rows<T>(text)
  await session.close()
  return rows
}

/** The number of sessions on a database, besides the one that asks. */
export async function sessionsOf(url: string): Promise<number | undefined> {
  const [row] = await rowsOf<{ count: number }>(
    url,
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  return row?.count
}

/** How long a test waits for a session that ends, on a busy machine. */
export const PATIENT = { timeout: 60_000 }

/** A value for a row that the tests add. Amounts of a statement and parts of a payout are 0, and add up. */
function sampleOf(
  table: string,
  { name, type, target, key }: ColumnRow,
  options: readonly string[] | undefined,
): string {
  if (target !== null) return `(select "${key}" from ${target} limit 1)`
  if (options?.[0] !== undefined) return `'${options[0]}'`
  if (type === 'uuid') return name === 'id' ? 'gen_random_uuid()' : '(select id from users limit 1)'
  if (type === 'text') return `'${randomUUID().slice(0, 3)}'`
  if (type === 'jsonb') return `'{}'`
  if (type.startsWith('timestamp') || type === 'date') return 'now()'
  if (type === 'boolean') return 'false'
  return table === 'statements' || ['fee', 'withheld'].includes(name) ? '0' : '1'
}

/** Columns that a row must have, though they may be null, or one of several. */
const alsoFilled: Readonly<Record<string, readonly string[]>> = { ledger_entries: ['charge_id'] }

const columnsToFill = `select a.attname as name, format_type(a.atttypid, null) as type, c.confrelid::regclass::text as target,
    (select f.attname from pg_attribute f where f.attrelid = c.confrelid and f.attnum = c.confkey[1]) as key
  from pg_attribute a left join pg_constraint c on c.contype = 'f' and c.conrelid = a.attrelid and c.conkey = array[a.attnum]
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attidentity = ''
    and (a.attnotnull or a.attname = any ($2))`

/** Adds a row to each table that has none. */
export async function fillEmptyTables(
  session: Pick<Session, 'rows'>,
  tables: readonly TableRules[] = allRules,
): Promise<void> {
  for (const { name, options } of tables) {
    const [row] = await session.rows<{ some: boolean }>(`select exists (select 1 from "${name}") as some`)
    if (row?.some === true) continue
    const columns = await session.rows<ColumnRow>(columnsToFill, [name, alsoFilled[name] ?? []])
    const values = columns.map((it) => sampleOf(name, it, options.get(it.name)))
    await session
      .rows(
        `insert into "${name}" (${columns.map((it) => `"${it.name}"`).join(', ')}) values (${values.join(', ')})`,
      )
      .catch((error: Error) => {
        throw new Error(`no row for ${name}: ${error.message}`, { cause: error })
      })
  }
}

const JSON_MARKER = JSON.stringify({
  filename: MARKER,
  hash: MARKER,
  gid: MARKER,
  why: MARKER,
  content: MARKER,
})

/**
 * Writes the marker into every column of text and JSON without a set of values. Where the column takes no such text, a
 * short one, or one that differs by row.
 * @returns the columns that take none of them
 */
async function mark(session: Session, tables: readonly TableRules[]): Promise<string[]> {
  const refused: string[] = []
  for (const { name, types, options } of tables) {
    for (const [column, type] of types) {
      if (options.has(column) || (type !== 'text' && type !== 'jsonb')) continue
      const tries =
        type === 'jsonb'
          ? [`$1::jsonb`]
          : [
              `$1::text`,
              `$1::text || ctid::text`,
              `left(md5(ctid::text), 2) || 'しるし' || coalesce($1::text, '')`,
            ]
      let isMarked = false
      for (const value of [...tries, `case when $1::text is null then '' else '印' end`]) {
        isMarked = await session
          .rows(`update "${name}" set "${column}" = ${value}`, [type === 'jsonb' ? JSON_MARKER : MARKER])
          .then(
            () => true,
            () => false,
          )
        if (isMarked) break
      }
      if (!isMarked) refused.push(`${name}.${column}`)
    }
  }
  return refused
}

export interface Filled {
  /** Address of the database with the marker in every text. */
  readonly url: string
  /** Address of the same without the marker, as the server wrote it. */
  readonly plainUrl: string
  /** Columns without the marker. */
  readonly refused: readonly string[]
  close(): Promise<void>
}

/** A database with the demo, a person with rows in every table, and the marker in every text. Nothing is connected to it. */
export async function fillDatabase(): Promise<Filled> {
  const world = await openWorld({ database: 'postgres' })
  const url = defined(world.postgres?.url)
  await seedDemo(world.deps)
  await livePerson(world)
  await world.app.close()
  await world.deps.close()
  const plain = await copyDatabase(url, false)
  const session = await openSession(url)
  // Without triggers and foreign keys.
  await session.rows('set session_replication_role = replica')
  await fillEmptyTables(session, allRules)
  // A settlement has a reason once it is reversed.
  await session.rows('update settlements set reversed_at = now()')
  const refused = await mark(session, allRules)
  await session.rows('analyze')
  await session.close()
  return {
    url,
    plainUrl: plain.url,
    refused,
    async close() {
      await plain.remove()
      await world.postgres?.stop()
      await rm(path.dirname(storedAt(world, 'uploads')), { recursive: true, force: true })
    },
  }
}

export interface Copy {
  readonly url: string
  readonly name: string
  remove(): Promise<void>
}

const databaseOf = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** Copies a database. @param isMarked whether its comment says that it is a copy */
export async function copyDatabase(url: string, isMarked = true): Promise<Copy> {
  const name = `copy_${randomUUID().replaceAll('-', '')}`
  const admin = databaseOf(url, 'postgres')
  await runOn(admin, `create database ${name} template ${new URL(url).pathname.slice(1)}`)
  if (isMarked) await runOn(admin, `comment on database ${name} is '${copyMarks.copy}'`)
  return {
    url: databaseOf(url, name),
    name,
    remove: () => runOn(admin, `drop database ${name} with (force)`),
  }
}

/** Tables, statistics and files of a database that contain one of the texts, as `name: text`. */
export async function findInDatabase(url: string, texts: readonly string[]): Promise<string[]> {
  const session = await openSession(url)
  const found = new Set<string>()
  const tables = await session.rows<{ name: string; file: string | null }>(
    `select oid::regclass::text as name, pg_relation_filepath(oid) as file from pg_class
     where relkind in ('r', 'm', 't', 'i') and relpersistence = 'p'`,
  )
  await session.rows('checkpoint')
  for (const text of texts) {
    const inFiles = await session.rows<{ name: string }>(
      `select it.name from unnest($1::text[], $2::text[]) as it (name, file)
       where it.file is not null and position(convert_to($3, 'UTF8') in pg_read_binary_file(it.file)) > 0`,
      [tables.map((it) => it.name), tables.map((it) => it.file), text],
    )
    for (const { name } of inFiles) found.add(`file of ${name}: ${text}`)
  }
  const readable = await session.rows<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relkind in ('r', 'p')
     and (relnamespace::regnamespace::text in ('public', 'pgboss', 'drizzle') or relname = 'pg_statistic')`,
  )
  for (const { name } of readable) {
    const rows = await session.rows<{ needle: string }>(
      `select needle from unnest($1::text[]) as needles (needle)
       where exists (select 1 from ${name} as t where position(needle in t::text) > 0)`,
      [texts],
    )
    for (const { needle } of rows) found.add(`${name}: ${needle}`)
  }
  await session.close()
  return [...found].toSorted()
}

/** Every id of the rows of a database. */
export async function listIds(url: string): Promise<Set<string>> {
  const session = await openSession(url)
  const all = new Set<string>()
  for (const { name } of allRules) {
    const rows = await session.rows<{ id: string }>(
      `select distinct (regexp_matches(to_jsonb(t)::text, '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'g'))[1] as id from "${name}" as t`,
    )
    for (const { id } of rows) all.add(id)
  }
  await session.close()
  return all
}

/** The number of rows of each table. */
export async function countAll(url: string): Promise<Map<string, number>> {
  const session = await openSession(url)
  const counts = new Map<string, number>()
  for (const { name } of allRules) {
    const [row] = await session.rows<{ count: number }>(`select count(*)::int as count from "${name}"`)
    counts.set(name, defined(row?.count))
  }
  await session.close()
  return counts
}
