// The one rule for text that people write: bytes, grapheme clusters, combining marks, characters.
import * as v from 'valibot'
import { graphemesIn } from './graphemes.ts'

/** Bytes (UTF-8) that a text may have for each grapheme cluster of its limit. */
export const BYTES_PER_GRAPHEME = 16

export interface TextRule {
  /** Most grapheme clusters. */
  readonly max: number
  /** `lines`: a text of several lines. `name`: one line that others read as a name. */
  readonly shape: 'lines' | 'name'
}

/** Codes of `contract/errors.ts` for a text that breaks the rule. */
export type TextProblem =
  | 'too_many_bytes'
  | 'too_long'
  | 'too_many_marks'
  | 'control_characters'
  | 'invisible'

/** Most bytes (UTF-8) of a text with a limit of so many grapheme clusters. */
export const bytesFor = (graphemes: number): number => graphemes * BYTES_PER_GRAPHEME

/**
 * More than 8 combining marks in a row; Thai, Arabic, Hebrew and Devanagari words have at most four or five. Format
 * characters between two marks do not end the row: they are drawn in no place of their own.
 */
const MARKS = /\p{M}(?:\p{Cf}*\p{M}){8}/u
/** Controls, line and paragraph separators, halves of a surrogate pair, bidi embeddings, overrides and isolates. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u
/** Characters without a shape of their own. U+2800 (blank Braille) and U+1D159 (empty note head) are in no property. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cc}\p{Cf}\p{M}\u2800\u{1D159}]*$/u

/** Whether a text has no character that can be seen. An empty text has none. */
export const isInvisible = (text: string): boolean => UNSEEN.test(text)

/**
 * Whether a text has more UTF-8 bytes than allowed. It reads no further than the first byte over the limit.
 * @param most bytes
 */
export function hasMoreBytes(text: string, most: number): boolean {
  // A UTF-16 unit takes at least one byte.
  if (text.length > most) return true
  if (text.length * 3 <= most) return false
  let bytes = 0
  for (let at = 0; at < text.length && bytes <= most; at++) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair counts two of its four bytes.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3
  }
  return bytes > most
}

/**
 * What a text breaks of its rule. Bytes are checked first, so that the segmenter and the patterns read a bounded text.
 * @returns undefined for a text that satisfies the rule
 */
export function textProblem(text: string, { max, shape }: TextRule): TextProblem | undefined {
  const most = bytesFor(max)
  // The beginning alone decides which sentence helps: fewer characters, or lighter ones.
  if (hasMoreBytes(text, most))
    return graphemesIn(text.slice(0, most), max) > max ? 'too_long' : 'too_many_bytes'
  if (graphemesIn(text, max) > max) return 'too_long'
  if (MARKS.test(text)) return 'too_many_marks'
  switch (shape) {
    case 'lines':
      // PostgreSQL stores no NUL.
      return text.includes('\0') ? 'control_characters' : undefined
    case 'name':
      if (CONTROLS.test(text)) return 'control_characters'
      return text !== '' && isInvisible(text) ? 'invisible' : undefined
    default:
      return shape satisfies never
  }
}

interface TextIssue extends v.BaseIssue<string> {
  readonly kind: 'validation'
  readonly type: 'text'
  readonly expected: null
  readonly received: string
  /** Most grapheme clusters. */
  readonly requirement: number
}

interface TextAction extends v.BaseValidation<string, string, TextIssue> {
  readonly type: 'text'
  readonly reference: typeof keepsTo
  readonly expects: null
  readonly requirement: number
}

/** The rule as one action of a valibot pipe. Its issue has a `TextProblem` as message and the limit as requirement. */
export function keepsTo(rule: TextRule): TextAction {
  return {
    kind: 'validation',
    type: 'text',
    reference: keepsTo,
    async: false,
    expects: null,
    requirement: rule.max,
    '~run'(dataset, config) {
      // A check before this one has failed already: the text may be of any length.
      const problem = dataset.typed ? textProblem(dataset.value, rule) : undefined
      // The text itself stays out of the issue: it may have megabytes.
      if (problem) v._addIssue(this, 'text', dataset, config, { message: problem, received: 'text' })
      return dataset
    },
  }
}

/**
 * The length of a text in grapheme clusters, for a counter beside its field. It is exact for every text within its bytes;
 * of a longer one the beginning is counted.
 * @param max limit of the field, grapheme clusters
 */
export const lengthOf = (text: string, max: number): number => graphemesIn(text.slice(0, bytesFor(max)))

/** A text of several lines as it is stored: one character for a line end, no NUL. */
export const asLines = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll('\0', '')
