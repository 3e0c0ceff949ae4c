// The shares of a sale: platform fee, the tax inside it, and the creator's part.

/** Consumption tax, percent of a price without it. Every price here includes it. */
export const TAX_PERCENT = 10

/** Ten thousand basis points are the whole price. */
const WHOLE = 10_000

/** Parts of one sale, whole yen; they add up to its amount. */
export interface Shares {
  /** The platform's fee without its tax. */
  readonly fee: number
  /** Consumption tax inside the fee. */
  readonly feeTax: number
  readonly creator: number
}

/** Consumption tax inside an amount that includes it, rounded to whole yen towards zero; negative for what was taken back. */
export function taxInside(amount: number): number {
  // Not `-0`, which less than a yen that was taken back would become.
  return Math.trunc((amount * TAX_PERCENT) / (100 + TAX_PERCENT)) + 0
}

/**
 * Consumption tax of transfer fees that are on an invoice with other fees: what they add to its tax, which is rounded once for all of
 * them together.
 * @param fees fees of sales with their tax, whole yen; negative in a month that returned more than it sold
 * @param transferFees with their tax, whole yen
 */
export const transferFeeTax = (fees: number, transferFees: number): number =>
  taxInside(fees + transferFees) - taxInside(fees)

/**
 * Divides a sale. The fee includes its tax; both are rounded down, so the creator gets what is left of a yen
 * (decision 063).
 * @param amount price paid, whole yen, tax included
 * @param feeRate fee of the platform, basis points: 1000 is 10 %
 */
export function sharesOf(amount: number, feeRate: number): Shares {
  const feeWithTax = Math.floor((amount * feeRate) / WHOLE)
  const feeTax = taxInside(feeWithTax)
  return { fee: feeWithTax - feeTax, feeTax, creator: amount - feeWithTax }
}
