// Codes of the second factor: six digits of an app, or a recovery code.
import * as v from 'valibot'
import { typed } from '#contract/rules.ts'

/** Recovery codes of one person. */
export const RECOVERY_CODES = 10

/** Full-width characters, spaces and hyphens are folded: people copy codes from anywhere. */
export const secondFactorCode = v.pipe(
  typed,
  v.maxLength(40, 'code'),
  v.transform((it) =>
    it
      .normalize('NFKC')
      .replaceAll(/[\s\p{Pd}]/gu, '')
      .toLowerCase(),
  ),
  v.nonEmpty('required'),
  v.regex(/^(?:\d{6}|[a-z2-7]{10})$/, 'code'),
)
