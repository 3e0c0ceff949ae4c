// Prices in yen: as typed in a form, and as sent to `POST /post/add`.
import * as v from 'valibot'
import { MAX_PRICE, MIN_PRICE } from '#contract/limits.ts'
import { max, min, required } from '#contract/rules.ts'

/** Longest price that is read, UTF-16 units. */
const MAX_LENGTH = 40

const plainOf = (price: string): string => price.normalize('NFKC').replace(/[\s円¥]/g, '')

/**
 * A price in yen as the wire has it (section 7): commas and dots are removed, `100.50` is 10050.
 * @returns yen, or NaN for what is no price
 */
export function yenOf(price: string): number {
  if (price.length > MAX_LENGTH) return Number.NaN
  const plain = plainOf(price).replace(/[.,]/g, '')
  return /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN
}

/** A price in yen, from what the wire has. */
export const price = v.pipe(
  required,
  v.transform(yenOf),
  v.integer('malformed'),
  min(MIN_PRICE),
  max(MAX_PRICE),
)

/** What is wrong with a typed price. `fraction`: one or two digits after a dot or comma, which may mean parts of a yen. */
export type PriceProblem = 'required' | 'malformed' | 'fraction' | 'too_small' | 'too_large'

/** A dot or comma before one or two digits separates no thousands. */
const FRACTION = /[.,]\d{1,2}(?!\d)/

/**
 * A price as a person typed it into a form. `100.50` is refused: the wire would make 10,050 yen of it.
 * @returns yen, or what is wrong
 */
export function typedPrice(typed: string): { readonly yen: number } | { readonly problem: PriceProblem } {
  const text = typed.trim()
  if (text.length <= MAX_LENGTH && FRACTION.test(plainOf(text))) return { problem: 'fraction' }
  const parsed = v.safeParse(price, text)
  if (parsed.success) return { yen: parsed.output }
  return { problem: parsed.issues[0].message as PriceProblem }
}
