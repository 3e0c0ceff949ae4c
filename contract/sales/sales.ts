// A creator's sales: sums of a month, and the single entries of the ledger.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'
import { month } from '#contract/payments/month.ts'
import { day } from '#contract/rules.ts'
import { soldKinds } from './sold-kinds.ts'

/** Whole yen; negative where something was taken back. */
const yen = v.pipe(v.number(), v.integer())
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const soldKind = v.picklist(soldKinds)

const shares = {
  /** Sold, tax included. */
  sales: yen,
  /** Returned to buyers, tax included. */
  refunds: yen,
  /** What is left for the creator. */
  net: yen,
}

/** `plans` + `posts` − `refunds` = `fee` + `fee_tax` + `net`. */
export const salesFigures = v.object({
  plans: yen,
  posts: yen,
  refunds: yen,
  /** Fee of the platform without its tax, and its tax. */
  fee: yen,
  fee_tax: yen,
  net: yen,
  /** Paid out in the month, transfer fees included. */
  paid_out: yen,
  /** Fees of transfers, with tax, that the creator bore for those whose results came in the month; left out by earlier servers. */
  transfer_fee: v.optional(yen, 0),
  /** How many sales and refunds. */
  sold: count,
  refunded: count,
})

const soldItem = v.object({
  kind: soldKind,
  /** Null when the post or the plan was erased. */
  id: v.nullable(id),
  /** The text of a post, or the name of a plan; '' for one that was deleted. */
  title: v.string(),
  sold: count,
  ...shares,
})
export type SoldItem = v.InferOutput<typeof soldItem>

const memberCounts = {
  /** Paying members at the start of the month. */
  before: count,
  joined: count,
  left: count,
}

/**
 * Sums of one month in Asia/Tokyo, and of the twelve months that end with it. Without `month`, the current one.
 * Everything is a sum of the ledger, except for the members.
 */
export const getSales = endpoint({
  name: 'getSales',
  method: 'GET',
  path: '/sales',
  audience: 'member',
  summary: '売上',
  query: v.object({ month: v.optional(month) }),
  reply: v.object({
    month,
    /** The first month that has entries; null without any. */
    first_month: v.nullable(month),
    figures: salesFigures,
    /** Now. `available`: of closed months, can be paid out. `total` is negative after refunds of what was paid out. */
    balance: v.object({ total: yen, available: yen }),
    /** Fee of the platform now, basis points with tax, and the next announced one; left out by earlier servers. */
    fee_rate: v.optional(
      v.object({
        current: v.number(),
        next: v.nullable(v.object({ rate: v.number(), first_day: day })),
      }),
    ),
    /** Days of the month that have entries. */
    days: v.array(v.object({ day, ...shares })),
    /** Twelve months, the oldest first. */
    months: v.array(v.object({ month, ...shares })),
    /** At most 50, the best first. */
    items: v.array(soldItem),
    members: v.object({
      ...memberCounts,
      /** Those with a member who joined or left in the month. */
      plans: v.array(v.object({ id, name: v.string(), ...memberCounts })),
    }),
  }),
  errors: ['unauthenticated'],
})
export type SalesView = v.InferOutput<(typeof getSales)['reply']>

/**
 * `dispute`: a card company took the money back. `dispute_won`: it gave it back. `dispute_covered`: the operator bore a lost one.
 * `complimentary`: the operator paid for a member.
 */
export const entryCauses = [
  'sale',
  'refund',
  'dispute',
  'dispute_won',
  'dispute_covered',
  'complimentary',
] as const
export type EntryCause = (typeof entryCauses)[number]

const salesEntry = v.object({
  id,
  at: instant,
  cause: v.picklist(entryCauses),
  /** Null for an entry that is not about a sale. */
  kind: v.nullable(soldKind),
  item: v.nullable(v.object({ id, title: v.string() })),
  /** Yen, tax included; negative for a refund. */
  amount: yen,
  fee: yen,
  fee_tax: yen,
  net: yen,
  payment_id: v.nullable(id),
})
export type SalesEntry = v.InferOutput<typeof salesEntry>

/** Which entries; each part narrows it. */
export const entryFilter = {
  month: v.optional(month),
  day: v.optional(day),
  kind: v.optional(soldKind),
  /** A post or a plan. */
  item: v.optional(id),
}

/** The creator's entries, the newest first. */
export const listSalesEntries = endpoint({
  name: 'listSalesEntries',
  method: 'GET',
  path: '/sales/entries',
  audience: 'member',
  summary: '売上の明細',
  query: v.object({ ...entryFilter, cursor: v.optional(v.pipe(v.string(), v.maxLength(200))) }),
  reply: v.object({ entries: v.array(salesEntry), next: v.nullable(v.string()) }),
  errors: ['unauthenticated'],
})

/** The same entries as CSV, oldest first; `encoding` is `utf-8` (with BOM) or `shift_jis`. */
export const SALES_CSV_PATH = '/sales/entries.csv'
export const csvEncodings = ['utf-8', 'shift_jis'] as const
export type CsvEncoding = (typeof csvEncodings)[number]
export const csvQuery = v.object({ ...entryFilter, encoding: v.optional(v.picklist(csvEncodings), 'utf-8') })
