// The detail of an audit entry as Japanese names and values.
import { taskKinds } from '#contract/payments/operator-tasks.ts'
import { date, number, yen } from '#src/lib/format.ts'
import { tasksText } from '#src/features/administration/tasks/text.ts'
import { auditText as words } from './page-text.ts'
import { fieldNames } from './text.ts'
import { valueNames } from './value-names.ts'

/** Fields whose numbers are yen. */
const YEN = new Set(['amount', 'fee', 'received', 'paid'])
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The fields of a detail, in their order. Ids are shortened to their end, which differs between most rows. */
export const detailOf = (detail: Readonly<Record<string, unknown>>): [name: string, value: string][] =>
  Object.entries(detail).map(([field, value]) => [fieldNames[field] ?? field, valueOf(field, value)])

function valueOf(field: string, value: unknown): string {
  if (value === null) return words.nothing
  if (typeof value === 'boolean') return value ? words.yes : words.no
  if (typeof value === 'number') return numberOf(field, value)
  if (Array.isArray(value)) return listOf(field, value)
  return typeof value === 'string' ? textOf(field, value) : ''
}

function numberOf(field: string, value: number): string {
  if (YEN.has(field)) return yen(value)
  // Basis points.
  if (field === 'rate' || field === 'before') return `${value / 100}%`
  return number(value)
}

function listOf(field: string, values: readonly unknown[]): string {
  if (values.length === 0) return words.nothing
  if (field === 'fields') return values.map((it) => textOf(field, String(it))).join('、')
  return words.items(values.length)
}

function textOf(field: string, value: string): string {
  if (UUID.test(value)) return `…${value.slice(-8)}`
  if (DAY.test(value)) return date(Date.parse(`${value}T00:00:00+09:00`))
  const kind = field === 'kind' ? taskKinds.find((it) => it === value) : undefined
  return kind ? tasksText.kinds[kind] : (valueNames[value] ?? value)
}
