// The rows of a creator's sales as CSV.
import type { EntryCause, SalesEntry } from '#contract/sales/sales.ts'
import { dayOf } from './money/periods.ts'

export const salesCsvHead = [
  '日付',
  '内容',
  '種類',
  '対象',
  '金額（円・税込）',
  '手数料（円・税込）',
  '差引額（円）',
  '決済番号',
  '明細番号',
] as const

const causes = {
  sale: '販売',
  refund: '返金',
  dispute: 'カード会社による取消',
  dispute_won: '取消の解除',
  dispute_covered: '運営による補填',
  complimentary: '運営による支払い',
} as const satisfies Record<EntryCause, string>
const kinds = { post: '有料の投稿', plan: 'プラン' } as const

/** Cells of one entry, in the order of the head; the day is that of Asia/Tokyo. */
export const salesCsvRow = (it: SalesEntry): string[] => [
  dayOf(Date.parse(it.at)),
  causes[it.cause],
  it.kind === null ? '' : kinds[it.kind],
  it.item?.title.replaceAll(/\s+/g, ' ') ?? '',
  String(it.amount),
  // Its tax is that of all fees of a month together, which the statement has.
  String(it.fee + it.fee_tax),
  String(it.net),
  it.payment_id ?? '',
  it.id,
]
