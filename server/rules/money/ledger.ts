// Entries of the double-entry ledger, in whole yen.
import { type Shares, sharesOf } from './fees.ts'

/**
 * Accounts of the ledger. Debits are positive: what the platform has (`bank`, `provider_receivable`) and its costs
 * (`provider_fee`, `chargeback_loss`, `complimentary`). Credits are negative: what it owes (`creator_payable`, `refunds`) and earns.
 * `transfer_fee_difference` is what the bank took for transfers beyond the fees that creators bore, and the tax of those fees. `withheld_tax` is
 * owed to the tax office for payouts to people abroad.
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
  'complimentary',
  'payouts',
  'payout_fee',
  'transfer_fee_difference',
  'withheld_tax',
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

/** The shares of a sale of which an amount is taken back while `left` of it is not taken back yet. */
function sharesTakenBack({ feeRate }: Sale, left: number, amount: number): Shares {
  const [before, after] = [sharesOf(left, feeRate), sharesOf(left - amount, feeRate)]
  return {
    fee: before.fee - after.fee,
    feeTax: before.feeTax - after.feeTax,
    creator: before.creator - after.creator,
  }
}

/**
 * Takes back a part of a sale, or all of it: its shares are taken back, and the platform owes the amount to the buyer. Each part
 * is the difference of the shares before and after it, so that parts which add up to the price reverse the sale exactly.
 * @param left what earlier refunds have left of the price, whole yen
 * @param amount at most `left`
 */
export function refundLines(sale: Sale, left = sale.amount, amount = left): LedgerLine[] {
  return [line('refunds', -amount), ...takenBackLines(sale, left, amount)]
}

/** The card company takes what is left of a sale from the provider's account. @param left as for `refundLines` */
export function disputeLines(sale: Sale, left: number): LedgerLine[] {
  return [line('provider_receivable', -left), ...takenBackLines(sale, left, left)]
}

/** The card company gives back what it took. @param left as it was at the dispute */
export function disputeWonLines(sale: Sale, left: number): LedgerLine[] {
  return disputeLines(sale, left).map((it) => ({ ...it, amount: -it.amount }))
}

/** The platform bears the creator's share of a lost dispute. */
export function disputeCoveredLines(sale: Sale, left: number): LedgerLine[] {
  const { creator } = sharesOf(left, sale.feeRate)
  return nonZero([line('chargeback_loss', creator), line('creator_payable', -creator, sale.creatorId)])
}

/** What the provider charges the platform for a dispute. @param fee whole yen */
export function disputeFeeLines(fee: number): LedgerLine[] {
  return nonZero([line('provider_fee', fee), line('provider_receivable', -fee)])
}

/** The platform pays a creator for a membership that costs its member nothing. */
export function complimentaryLines(amount: number, creatorId: string): LedgerLine[] {
  return nonZero([line('complimentary', amount), line('creator_payable', -amount, creatorId)])
}

function takenBackLines(sale: Sale, left: number, amount: number): LedgerLine[] {
  const { fee, feeTax, creator } = sharesTakenBack(sale, left, amount)
  return nonZero([
    line('creator_payable', creator, sale.creatorId),
    line('platform_fee', fee),
    line('fee_tax', feeTax),
  ])
}

/** A charge that pays for nothing, such as a second one: the platform owes its amount to the buyer at once. */
export function surplusLines(amount: number): LedgerLine[] {
  return nonZero([line('provider_receivable', amount), line('refunds', -amount)])
}

/** The provider has returned an amount that the platform owed to a buyer. */
export function refundPaidLines(amount: number): LedgerLine[] {
  return nonZero([line('refunds', amount), line('provider_receivable', -amount)])
}

/** What the provider transferred to the bank account, and the fee that it deducted. */
export interface Settlement {
  /** Whole yen on the bank account, positive. */
  readonly received: number
  /** Whole yen, tax included. */
  readonly fee: number
}

/** The provider pays what it owes to the platform, less its fee. */
export function settlementLines({ received, fee }: Settlement): LedgerLine[] {
  return nonZero([
    line('bank', received),
    line('provider_fee', fee),
    line('provider_receivable', -(received + fee)),
  ])
}

/** A settlement that was recorded wrongly. */
export function settlementReversedLines(settlement: Settlement): LedgerLine[] {
  return settlementLines(settlement).map((it) => ({ ...it, amount: -it.amount }))
}

/** Tax of the fees of a statement that its sales have not booked. @param tax whole yen, negative for what they booked too much */
export function feeTaxRoundingLines(tax: number): LedgerLine[] {
  return nonZero([line('platform_fee', tax), line('fee_tax', -tax)])
}

/** Tax of the transfer fees on a statement, which the platform owes of what creators bore. @param tax whole yen */
export function transferFeeTaxLines(tax: number): LedgerLine[] {
  return nonZero([line('transfer_fee_difference', tax), line('fee_tax', -tax)])
}

/** Whether the lines of an entry add up to zero, and all are whole yen. */
export function isBalanced(lines: readonly LedgerLine[]): boolean {
  const isWhole = lines.every((it) => Number.isSafeInteger(it.amount))
  return isWhole && lines.reduce((sum, it) => sum + it.amount, 0) === 0
}
