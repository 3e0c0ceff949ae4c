// The registration number of an issuer of qualified invoices (適格請求書発行事業者の登録番号).
import * as v from 'valibot'
import { typed } from '#contract/rules.ts'
import { halfWidth } from '#contract/text/width.ts'

/** Longest number as typed, with hyphens and spaces. */
const MAX_TYPED = 40

/**
 * The check digit of a corporate number, which the other registration numbers have too.
 * @param digits the twelve digits after it
 */
function checkDigit(digits: string): number {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, it, i) => total + Number(it) * (i % 2 === 0 ? 1 : 2), 0)
  return 9 - (sum % 9)
}

/** `T` and 13 digits, of which the first one is right for the others. Full-width ones are folded, spaces and hyphens go. */
export const registrationNumber = v.pipe(
  typed,
  v.maxLength(MAX_TYPED, 'too_long'),
  v.transform((it) =>
    halfWidth(it)
      .replaceAll(/[‐−–ー―-]|\s/g, '')
      .toUpperCase(),
  ),
  v.nonEmpty('required'),
  v.regex(/^T\d{13}$/, 'registration_number'),
  v.check((it) => Number(it[1]) === checkDigit(it.slice(2)), 'registration_number'),
)
