// Codes sent by mail: six digits, however they were typed.
import * as v from 'valibot'
import { typed } from '#contract/rules.ts'

export const MAIL_CODE_DIGITS = 6
/** A code is valid for this time, ms. */
export const MAIL_CODE_MS = 30 * 60_000
/** Wrong tries after which a code is dead. */
export const MAIL_CODE_TRIES = 5

/** Full-width digits, spaces and hyphens between them are folded: people copy codes from anywhere. */
export const mailCode = v.pipe(
  typed,
  v.maxLength(40, 'code'),
  v.transform((it) => it.normalize('NFKC').replaceAll(/[\s\p{Pd}]/gu, '')),
  v.nonEmpty('required'),
  v.regex(/^\d{6}$/, 'code'),
)
