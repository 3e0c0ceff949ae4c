// The code of an invitation, as it is made and as people type it.
import * as v from 'valibot'
import { halfWidth } from '#contract/text/width.ts'

/** Letters of a code: none that looks like another one or like a digit. */
export const INVITE_FIRST = 'ABCDEFGHJKMNPQRSTVWXYZ'
export const INVITE_LETTERS = `23456789${INVITE_FIRST}`
/** Characters of a code: 58 bits. */
export const INVITE_LENGTH = 12

/** A code as people type it: full-width, in lower case, with spaces or hyphens. */
export const inviteCode = v.pipe(
  v.string(),
  v.maxLength(100, 'too_long'),
  v.transform((it) =>
    halfWidth(it)
      .replaceAll(/[\s\-ー−‐]/g, '')
      .toUpperCase(),
  ),
)
