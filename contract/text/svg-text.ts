// Recognises an SVG by the beginning of its text, in time linear to its length.

/** Each starts something that may precede the root element, and names what ends it. */
const skipped = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const

/** The end of a document type declaration that begins at `at`; -1 when it is not complete. */
function endOfDoctype(text: string, at: number): number {
  const close = text.indexOf('>', at)
  if (close === -1) return -1
  const bracket = text.slice(at, close).indexOf('[')
  if (bracket === -1) return close + 1
  const inner = text.indexOf(']', at + bracket)
  if (inner === -1) return -1
  return text.indexOf('>', inner) + 1 || -1
}

/** Where what follows a prolog, comment or document type at `at` begins; `at` when there is none, -1 when it is cut. */
function after(text: string, at: number): number {
  for (const [opening, closing] of skipped)
    if (text.startsWith(opening, at)) {
      const end = text.indexOf(closing, at + opening.length)
      return end === -1 ? -1 : end + closing.length
    }
  return /^<!doctype/i.test(text.slice(at, at + 9)) ? endOfDoctype(text, at + 9) : at
}

const isSpace = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign)

/**
 * Whether the root element of an XML text is `svg`, after a byte order mark, prolog, comments and document type.
 * A text that is cut before its root element is none.
 * @param text the beginning of a file; no bytes beyond it are needed
 */
export function isSvgText(text: string): boolean {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (;;) {
    while (isSpace(text[at])) at += 1
    const next = after(text, at)
    if (next === -1) return false
    if (next === at) return /^<(?:\w{1,20}:)?svg[\s>/]/.test(text.slice(at, at + 30))
    at = next
  }
}
