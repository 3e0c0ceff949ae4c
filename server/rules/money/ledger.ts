// Entries of the double-entry ledger, in whole yen.
import { sharesOf } from './fees.ts'

/**
 * Accounts of the ledger. Debits are positive: what the platform has (`bank`, `provider_receivable`) and its costs.
 * Credits are negative: what it owes (`creator_payable`, `refunds`) and earns.
 */
export const accounts = [
  'bank',
  'provider_receivable',
  'provider_fee',
  'creator_payable',
  'platform_fee',
  'fee_tax',
  'refunds',
  'chargeback_loss',
  'payouts',
  'payout_fee',
] as const
export type Account = (typeof accounts)[number]

export interface LedgerLine {
  readonly account: Account
  /** Whose account it is; null for accounts of the platform. */
  readonly creatorId: string | null
  /** Whole yen, never zero; positive for a debit. */
  readonly amount: number
}

/** A charge that pays for a post or for a period of a plan. */
export interface Sale {
  /** Whole yen, tax included. */
  readonly amount: number
  /** Fee of the platform, basis points. */
  readonly feeRate: number
  readonly creatorId: string
}

const line = (account: Account, amount: number, creatorId: string | null = null): LedgerLine => ({
  account,
  creatorId,
  amount,
})

/** Lines without those of zero yen, of which `-0` is one. */
const nonZero = (lines: readonly LedgerLine[]) => lines.filter((it) => it.amount !== 0)

/** The provider owes the amount to the platform, which owes the creator their share. */
export function saleLines({ amount, feeRate, creatorId }: Sale): LedgerLine[] {
  const { fee, feeTax, creator } = sharesOf(amount, feeRate)
  return nonZero([
    line('provider_receivable', amount),
    line('creator_payable', -creator, creatorId),
    line('platform_fee', -fee),
    line('fee_tax', -feeTax),
  ])
}

/** The exact reverse of a sale: its shares are taken back, and the platform owes the amount to the buyer. */
export function refundLines(sale: Sale): LedgerLine[] {
  return saleLines(sale).map((it) =>
    it.account === 'provider_receivable' ? line('refunds', -it.amount) : { ...it, amount: -it.amount },
  )
}

/** A charge that pays for nothing, such as a second one: the platform owes its amount to the buyer at once. */
export function surplusLines(amount: number): LedgerLine[] {
  return nonZero([line('provider_receivable', amount), line('refunds', -amount)])
}

/** The provider has returned an amount that the platform owed to a buyer. */
export function refundPaidLines(amount: number): LedgerLine[] {
  return nonZero([line('refunds', amount), line('provider_receivable', -amount)])
}

/** Whether the lines of an entry add up to zero, and all are whole yen. */
export function isBalanced(lines: readonly LedgerLine[]): boolean {
  const isWhole = lines.every((it) => Number.isSafeInteger(it.amount))
  return isWhole && lines.reduce((sum, it) => sum + it.amount, 0) === 0
}
