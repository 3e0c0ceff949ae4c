// The SQL of the rules: one update for each table.
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/store/database.ts'
import type { NamedRule, Numbered, Rule, TableRules } from './rules.ts'

const called = (name: string) => (column: SQL) => sql`${sql.raw(`pg_temp.${name}`)}(${column})`
const empty = () => sql`''`

/** The new value; undefined for a column that stays as it is. */
const expressions: Readonly<Record<NamedRule, ((column: SQL) => SQL) | undefined>> = {
  keep: undefined,
  id: called('new_id'),
  ids: called('ids'),
  pair: called('pair'),
  group_key: called('group_key'),
  text: called('neutral'),
  code: called('code'),
  number: called('number'),
  token: called('token'),
  password: (column) =>
    sql`case when ${column} = '' then '' else current_setting('todoke.anonymise_password') end`,
  birth_date: called('birth_date'),
  search: empty,
  empty,
  null: () => sql`null`,
}

const isNumbered = (rule: Rule): rule is Numbered => typeof rule !== 'string' && rule.is === 'numbered'

function numberedValue({ before, after, ofDeleted }: Numbered, column: SQL): SQL {
  const value = sql`case when ${column} is null then null else ${before}::text || numbers.n || ${after}::text end`
  return ofDeleted === undefined
    ? value
    : sql`case when deleted_at is null then ${value} else ${ofDeleted}::text end`
}

function valueOf(rule: Rule, column: SQL): SQL | undefined {
  if (typeof rule === 'string') return expressions[rule]?.(column)
  return rule.is === 'made' ? rule.by : numberedValue(rule, column)
}

const assigned = (name: string, value: SQL) => sql`${sql.identifier(name)} = ${value}`

/** Rewrites the rows of a table. Inside the transaction that `addFunctions` prepared. */
export async function rewriteTable(tx: Db, { name, columns }: TableRules): Promise<void> {
  const all = [...(columns ?? [])]
  const table = sql.identifier(name)
  const of = (column: string) => sql`it.${sql.identifier(column)}`
  const numbers = all.filter(([, rule]) => isNumbered(rule))
  if (numbers.length > 0) {
    // Numbers of an earlier run would collide with new ones, as a unique index is examined row by row.
    const cleared = numbers.map(([column]) =>
      assigned(column, sql`case when ${of(column)} is null then null else ${of('id')}::text end`),
    )
    await tx.execute(sql`update ${table} as it set ${sql.join(cleared, sql`, `)}`)
  }
  const set = all.flatMap(([column, rule]) => {
    const value = valueOf(rule, of(column))
    return value ? [assigned(column, value)] : []
  })
  if (set.length === 0) return
  const counted = sql` from (select id, row_number() over (order by pg_temp.new_id(id)) as n from ${table}) as numbers
    where numbers.id = it.id`
  await tx.execute(
    sql`update ${table} as it set ${sql.join(set, sql`, `)}${numbers.length > 0 ? counted : sql``}`,
  )
}

/** Removes all rows of the tables, whose foreign keys are dropped at that moment. */
export async function emptyTables(tx: Db, all: readonly TableRules[]): Promise<void> {
  const names = all.filter((it) => it.columns === undefined).map((it) => sql.identifier(it.name))
  await tx.execute(sql`truncate ${sql.join(names, sql`, `)}`)
}

export async function countRows(db: Db, name: string): Promise<number> {
  const { rows } = (await db.execute(sql`select count(*)::int as count from ${sql.identifier(name)}`)) as {
    rows: { count: number }[]
  }
  return rows[0]?.count ?? 0
}
