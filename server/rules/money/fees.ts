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

/** Consumption tax inside an amount that includes it, rounded down to whole yen. */
export function taxInside(amount: number): number {
  return Math.floor((amount * TAX_PERCENT) / (100 + TAX_PERCENT))
}

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
