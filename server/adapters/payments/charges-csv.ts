// Reads the provider's list of charges as an operator downloads it: CSV.
import type { ListedCharge } from './provider.ts'
import { csvRows } from './csv-rows.ts'

/** The names of each column, of which the file has one. */
const columns = {
  gid: ['gid', '決済番号'],
  payment: ['payment_id', 'cod', '店舗オーダー番号'],
  amount: ['ta', '合計金額', '決済金額'],
  state: ['state', '決済結果', 'ステータス'],
  at: ['date', '決済日時', '売上日時'],
  /** May be missing: a shop without plans has none. */
  acid: ['acid', '自動課金番号'],
} as const
type Column = keyof typeof columns

/** Most rows of one text. */
export const MAX_ROWS = 20_000

/** `line`: the row of the text, where the head is 1. */
export interface CsvProblem {
  readonly line: number
  readonly why: 'empty' | 'columns' | 'row' | 'quotes' | 'too_many'
}
export type ChargesCsv =
  | { readonly is: 'list'; readonly charges: readonly ListedCharge[] }
  | ({ readonly is: 'problem' } & CsvProblem)

const problem = (line: number, why: CsvProblem['why']): ChargesCsv => ({ is: 'problem', line, why })

/**
 * Reads the charges of a text with a head line. Rows of failed charges and of registered cards are passed over. The first row that cannot be read
 * refuses the whole text, so that no charge is missing by mistake.
 */
export function readChargesCsv(text: string): ChargesCsv {
  const rows = csvRows(text)
  if (!rows) return problem(1, 'quotes')
  const [head, ...lines] = rows
  if (!head) return problem(1, 'empty')
  if (lines.length > MAX_ROWS) return problem(MAX_ROWS + 1, 'too_many')
  const places = placesOf(head)
  if (!places) return problem(1, 'columns')
  const charges: ListedCharge[] = []
  for (const [index, cells] of lines.entries()) {
    const value = (name: Column) => (cells[places[name]] ?? '').trim()
    if (isFailed(value('state')) || isRegistration(value('amount'))) continue
    const charge = chargeOf(value)
    if (!charge) return problem(index + 2, 'row')
    charges.push(charge)
  }
  return { is: 'list', charges }
}

/** The place of each column in a row; undefined when a required one is missing. */
function placesOf(head: readonly string[]): Record<Column, number> | undefined {
  const names = head.map((it) => it.trim())
  const placeOf = (column: Column) =>
    names.findIndex((it) => (columns[column] as readonly string[]).includes(it))
  const required = {
    gid: placeOf('gid'),
    payment: placeOf('payment'),
    amount: placeOf('amount'),
    state: placeOf('state'),
    at: placeOf('at'),
  }
  return Object.values(required).includes(-1) ? undefined : { ...required, acid: placeOf('acid') }
}

/** A form that registered a card took no money. */
const isRegistration = (amount: string): boolean => /^0円?$|^[¥]0$/.test(amount)

const isFailed = (state: string): boolean => /失敗|エラー|^(?:ng|failed)$/i.test(state)

/** What was returned of a charge, by its state. */
function refundedOf(state: string, amount: number): ListedCharge['refunded'] {
  if (!/返金|取消|キャンセル|^refunded$/i.test(state)) return 0
  return /一部|部分/.test(state) ? 'part' : amount
}

function chargeOf(value: (name: Column) => string): ListedCharge | undefined {
  const [chargeRef, paymentId, recurringRef] = [value('gid'), value('payment').toLowerCase(), value('acid')]
  const yen = value('amount').replaceAll(/[,円¥]/g, '')
  const chargedAt = timeOf(value('at'))
  const isReadable =
    /^[\w-]{1,64}$/.test(chargeRef) &&
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(paymentId) &&
    /^[\w-]{0,64}$/.test(recurringRef) &&
    /^[1-9]\d{0,8}$/.test(yen)
  if (!isReadable || !chargedAt) return undefined
  const amount = Number(yen)
  const refunded = refundedOf(value('state'), amount)
  return { chargeRef, paymentId, amount, refunded, recurringRef, chargedAt }
}

/** A time in Asia/Tokyo: `2026/12/10 12:34:56` or with hyphens; seconds may be missing. */
function timeOf(text: string): Date | undefined {
  const found = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (!found) return undefined
  const two = (at: number) => (found[at] ?? '0').padStart(2, '0')
  const at = new Date(`${found[1]}-${two(2)}-${two(3)}T${two(4)}:${two(5)}:${two(6)}+09:00`)
  if (Number.isNaN(at.getTime())) return undefined
  // Some days that a month does not have are read as days of the next one.
  return new Date(at.getTime() + 9 * 3600_000).getUTCDate() === Number(found[3]) ? at : undefined
}
