// When two texts count as equal, and which texts have a link. Pure.
import { fold } from '#contract/text/fold.ts'

/** Short texts are what many people write to many: thanks, greetings, one emoji. Characters after normalisation. */
const SHORTEST = 12

/** The form in which texts are compared: folded as in search, without spaces and signs, and with one digit for all. */
export const normalForm = (text: string): string =>
  fold(text)
    .replace(/\p{N}/gu, '0')
    .replace(/[^\p{L}\p{N}]/gu, '')

/** As `normalForm`. @returns undefined for a text that is too short to be compared */
export function comparedText(text: string): string | undefined {
  const normal = normalForm(text)
  return normal.length < SHORTEST && !hasLink(text) ? undefined : normal
}

const schemes = /https?:\/\/[^\s]/i
/** A name of a site without a scheme: www, or an ending that spam uses. */
const names =
  /(?:^|[^a-z0-9@._-])(?:www\.[a-z0-9-]|[a-z0-9-]{1,63}\.(?:com|net|org|jp|info|biz|xyz|top|shop|site|online|club|link|live|io|me|gg|ly|cc|tv|app)(?![a-z0-9-]))/i

/** Whether a text has the address of a site, also in full width. */
export function hasLink(text: string): boolean {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return schemes.test(plain) || names.test(plain)
}
