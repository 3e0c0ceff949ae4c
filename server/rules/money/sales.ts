// Figures of a creator's sales, from sums of the ledger.
import type { SoldKind } from '#contract/sales/sold-kinds.ts'
import { taxInside } from './fees.ts'

/** Causes of ledger entries. */
export type Cause =
  | 'sale'
  | 'refund'
  | 'surplus'
  | 'refund_paid'
  | 'payout'
  | 'payout_cancelled'
  | 'payout_paid'
  | 'payout_returned'
  | 'payout_withheld'
  | 'dispute'
  | 'dispute_won'
  | 'dispute_covered'
  | 'dispute_fee'
  | 'complimentary'
  | 'settlement'
  | 'settlement_reversed'
  | 'fee_tax_rounding'
  | 'balance_cleared'
  | 'bank_fee'
  | 'transfer_fee_tax'

/** Sums of entries of one cause and kind, yen; negative for what was taken back. */
export interface CauseSums {
  readonly cause: Cause
  /** Null for an entry that is not about a sale. */
  readonly kind: SoldKind | null
  /** Entries. */
  readonly count: number
  /** Price, tax included. */
  readonly gross: number
  readonly fee: number
  readonly feeTax: number
  /** What the creator's balance gained. */
  readonly net: number
}

/**
 * `plans` + `posts` − `refunds` = `fee` + `feeTax` + `net`, yen. The tax is that of all fees together: an invoice rounds once for
 * each rate (消費税法施行令第70条の10), while each entry of the ledger rounds its own.
 */
export interface Figures {
  readonly plans: number
  readonly posts: number
  readonly refunds: number
  readonly fee: number
  readonly feeTax: number
  readonly net: number
  /** Paid out, transfer fees included. */
  readonly paidOut: number
  /** Sales and refunds. */
  readonly sold: number
  readonly refunded: number
}

type Field = 'count' | 'gross' | 'fee' | 'feeTax' | 'net'

const sumOf = (rows: readonly CauseSums[], field: Field): number =>
  // Not `-0`, which a sum of nothing would become by its sign.
  rows.reduce((sum, row) => sum + row[field], 0)

const negated = (amount: number): number => (amount === 0 ? 0 : -amount)

/** What was paid for, by a buyer or by the operator. */
const isSale = ({ cause }: CauseSums): boolean => cause === 'sale' || cause === 'complimentary'
/** What was taken back, and given back after that. */
const takenBack: ReadonlySet<Cause> = new Set(['refund', 'dispute', 'dispute_won', 'dispute_covered'])
/** Causes that change what was sold; all others move what the creator has. */
const ofSales: ReadonlySet<Cause> = new Set(['sale', 'complimentary', ...takenBack])
/** Each is one charge that was taken back, in part or whole. */
const isTaken = ({ cause }: CauseSums): boolean => cause === 'refund' || cause === 'dispute'

/** Tax of the fees together that their entries, each of which rounds its own, have not booked, yen. */
export function unbookedTax(rows: readonly CauseSums[]): number {
  const booked = sumOf(
    rows.filter((it) => ofSales.has(it.cause)),
    'feeTax',
  )
  return figuresOf(rows).feeTax - booked
}

export function figuresOf(rows: readonly CauseSums[]): Figures {
  const sales = rows.filter(isSale)
  const refunds = rows.filter((it) => takenBack.has(it.cause))
  const own = rows.filter((it) => ofSales.has(it.cause))
  const feesWithTax = sumOf(own, 'fee') + sumOf(own, 'feeTax')
  const feeTax = taxInside(feesWithTax)
  return {
    plans: sumOf(
      sales.filter((it) => it.kind === 'plan'),
      'gross',
    ),
    posts: sumOf(
      sales.filter((it) => it.kind === 'post'),
      'gross',
    ),
    refunds: negated(sumOf(refunds, 'gross')),
    fee: feesWithTax - feeTax,
    feeTax,
    net: sumOf(own, 'net'),
    paidOut: negated(
      sumOf(
        rows.filter((it) => !ofSales.has(it.cause)),
        'net',
      ),
    ),
    sold: sumOf(sales, 'count'),
    refunded: sumOf(rows.filter(isTaken), 'count'),
  }
}

/** What charts and lists show of a day, a month or an item, yen. */
export interface Shares {
  readonly sales: number
  readonly refunds: number
  readonly net: number
}

export function sharesOfSums(rows: readonly CauseSums[]): Shares {
  const { plans, posts, refunds, net } = figuresOf(rows)
  return { sales: plans + posts, refunds, net }
}

/** The balance at the end of the last closed month, and what each cause has changed since, yen. */
export interface BalanceParts {
  readonly closing: number
  readonly since: readonly { readonly cause: Cause; readonly net: number }[]
}

/**
 * The creator's balance now. Sales of the month that is not closed cannot be paid out, while its refunds and payouts count at
 * once, so that never more is available than is there.
 * @returns `total` is negative when more was returned to buyers than the creator had left
 */
export function balanceOf({ closing, since }: BalanceParts): {
  readonly total: number
  readonly available: number
} {
  const changed = (of: (cause: Cause) => boolean) =>
    since.filter((it) => of(it.cause)).reduce((sum, it) => sum + it.net, 0)
  const total = closing + changed(() => true)
  const closed = closing + changed((cause) => !ofSales.has(cause))
  return { total, available: Math.max(0, Math.min(total, closed)) }
}
