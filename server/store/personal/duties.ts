// Duties of the columns of rows about a person.
import type { SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { MAX_CONTENT } from '#contract/limits.ts'
import { bytesFor } from '#contract/text/text-rule.ts'
import { emptied, type Rule, rows, type TableRules } from '#server/store/anonymise/rules.ts'

/** The person whose rows are erased, and when. */
export interface Erasure {
  readonly id: string
  readonly at: Date
}

/**
 * What erasure leaves of a column.
 * - `stays`: its value.
 * - `goes`: nothing, since the row is removed.
 * - `to`: this value.
 * - `by`: a value made from the person's id and the time; `text` describes it.
 * - `until`: its value, until then; the row is removed afterwards.
 */
export type Erased<Value> =
  | 'stays'
  | 'goes'
  | { readonly to: Value }
  | { readonly by: (erasure: Erasure) => Value | SQL; readonly text: string }
  | { readonly until: string }

/** Why a copy for the person does not have a column. */
export interface Without {
  readonly without: string
}
export const without = (why: string): Without => ({ without: why })

/** A key in a copy, where it has another form of the value. */
export interface Formed<Value> {
  readonly as: string
  readonly form: (value: Value) => unknown
}

/** How a report quotes a column to staff. `line`: how one text of the whole row has it, if differently. */
export interface Quote<Value> {
  readonly text: (value: Value) => string
  readonly line?: (text: string) => string
}

/** What has to be known about a column of a row about a person. */
export interface Duties<Value> {
  /** Who sees it in the app. `others`: those who see the row; `owner`: its person, and staff who need it; `none`: no person. */
  readonly shown: 'others' | 'owner' | 'none'
  /** Its key in the copy of their data that the person may request. */
  readonly exported: string | Formed<Value> | Without
  /** Its key in a copy for an authority; null where it is left out. */
  readonly disclosed: string | null
  readonly quoted: Quote<Value> | null
  readonly erased: Erased<Value>
  /** What an anonymised copy has. `removed`: no row, which then holds for each column of the table. */
  readonly anonymised: Rule | 'removed'
}

type ColumnDuties<T extends PgTable> = {
  readonly [K in keyof T['_']['columns']]: Duties<T['$inferSelect'][K & keyof T['$inferSelect']]>
}

/** The duties of a table. The order of the columns is that of the copies. */
export interface Personal<T extends PgTable, C extends ColumnDuties<T>> {
  readonly table: T
  /** How long its rows are kept, as the page about personal data says it. */
  readonly kept: string
  readonly columns: C
}

/** A column without a row of duties does not type-check. */
export const personal = <T extends PgTable, const C extends ColumnDuties<T>>(
  table: T,
  kept: string,
  columns: C,
): Personal<T, C> => ({ table, kept, columns })

/** The columns that `Part` has, for reading a row of duties. */
type Row<T extends PgTable> = T['$inferSelect']
type KeysWithout<C, D extends string, Empty> = {
  [K in keyof C]: C[K] extends { readonly [_ in D]: infer V } ? (V extends Empty ? never : K) : never
}[keyof C]
type ExportedKey<C> = KeysWithout<C, 'exported', Without>
type DisclosedKey<C> = KeysWithout<C, 'disclosed', null>
type QuotedKey<C> = KeysWithout<C, 'quoted', null>
type ErasedKey<C> = KeysWithout<C, 'erased', 'stays' | 'goes' | { readonly until: string }>
type Part<T extends PgTable, K> = Pick<Row<T>, K & keyof Row<T>>

type AnyDuties = readonly (readonly [string, Duties<never>])[]
const dutiesOf = (columns: object): AnyDuties => Object.entries(columns)

/**
 * A row as the copy for its person has it.
 * @param row undefined where none is stored: every value is then null
 * @param after further keys, which follow those of the named columns
 */
export function exportedRow<T extends PgTable, const C extends ColumnDuties<T>>(
  { columns }: Personal<T, C>,
  row: Part<T, ExportedKey<C>> | undefined,
  after: { readonly [K in ExportedKey<C>]?: object } = {},
): Record<string, unknown> {
  const values = row as Readonly<Record<string, never>> | undefined
  const copy: Record<string, unknown> = {}
  for (const [key, { exported }] of dutiesOf(columns)) {
    if (typeof exported === 'string') copy[exported] = values ? values[key] : null
    else if ('as' in exported) copy[exported.as] = values ? exported.form(values[key] as never) : null
    Object.assign(copy, (after as Readonly<Record<string, object>>)[key])
  }
  return copy
}

/** A row, or a sealed copy of it, as a copy for an authority has it; `after` as above. */
export function disclosedRow<T extends PgTable, const C extends ColumnDuties<T>>(
  { columns }: Personal<T, C>,
  row: { readonly [K in DisclosedKey<C>]: unknown },
  after: { readonly [K in DisclosedKey<C>]?: object } = {},
): Record<string, unknown> {
  const values = row as Readonly<Record<string, unknown>>
  const copy: Record<string, unknown> = {}
  for (const [key, { disclosed }] of dutiesOf(columns)) {
    if (disclosed !== null) copy[disclosed] = values[key]
    Object.assign(copy, (after as Readonly<Record<string, object>>)[key])
  }
  return copy
}

/** Shortens a text to the limit of a report. Texts older than the size limits may be longer. */
const quotable = (text: string): string => text.slice(0, bytesFor(MAX_CONTENT)).toWellFormed()

/** What a report quotes of a row, by the names of its columns. */
export function quotedRow<T extends PgTable, const C extends ColumnDuties<T>>(
  { columns }: Personal<T, C>,
  row: Part<T, QuotedKey<C>>,
): Record<QuotedKey<C> & string, string> {
  return Object.fromEntries(quotes(columns, row).map(([key, text]) => [key, quotable(text)])) as Record<
    QuotedKey<C> & string,
    string
  >
}

/** The same as one text for staff, a line for each value. */
export function quotedText<T extends PgTable, const C extends ColumnDuties<T>>(
  { columns }: Personal<T, C>,
  row: Part<T, QuotedKey<C>>,
): string {
  return asLines(quotes(columns, row))
}

/** The text of a stored quote, which may be from before a column was quoted. */
export function storedQuoteText(
  { columns }: { readonly columns: object },
  quoted: Readonly<Record<string, string>>,
): string {
  return asLines(
    dutiesOf(columns).flatMap(([key, duties]) =>
      duties.quoted === null ? [] : [[key, quoted[key] ?? '', duties.quoted.line] as const],
    ),
  )
}

type Quoted = readonly [key: string, text: string, line: Quote<never>['line']]

const asLines = (quoted: readonly Quoted[]): string =>
  quoted
    .filter(([, text]) => text !== '')
    .map(([, text, line]) => (line ? line(text) : text))
    .join('\n')

function quotes(columns: object, row: object): Quoted[] {
  const values = row as Readonly<Record<string, never>>
  return dutiesOf(columns).flatMap(([key, { quoted }]) =>
    quoted === null ? [] : [[key, quoted.text(values[key] as never), quoted.line] as const],
  )
}

/** The values that erasure sets. */
export function erasedRow<T extends PgTable, const C extends ColumnDuties<T>>(
  { columns }: Personal<T, C>,
  erasure: Erasure,
): { readonly [K in ErasedKey<C> & keyof Row<T>]: Row<T>[K] | SQL } {
  const values: Record<string, unknown> = {}
  for (const [key, { erased }] of dutiesOf(columns)) {
    if (typeof erased === 'string' || 'until' in erased) continue
    values[key] = 'to' in erased ? erased.to : erased.by(erasure)
  }
  return values as { readonly [K in ErasedKey<C> & keyof Row<T>]: Row<T>[K] | SQL }
}

/** The rules of the table's columns in anonymised copies. @throws if some columns alone are removed */
export function anonymisedRows<T extends PgTable, const C extends ColumnDuties<T>>({
  table,
  columns,
}: Personal<T, C>): TableRules {
  const rules = dutiesOf(columns).map(([key, { anonymised }]) => [key, anonymised] as const)
  const removed = rules.filter(([, rule]) => rule === 'removed')
  if (removed.length === rules.length) return emptied(table)
  if (removed.length > 0) throw new Error(`a row without ${removed[0]?.[0]}`)
  return rows(table, Object.fromEntries(rules) as { readonly [K in keyof T['_']['columns']]: Rule })
}
