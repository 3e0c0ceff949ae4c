// What people wrote, cut into pieces a screen can show: words, links, hashtags, mentions.
import { type MentionView, tokensOf } from '#contract/text/mentions.ts'

export type TextPiece =
  | { readonly is: 'plain'; readonly text: string }
  /** `text`: the address shortened for reading. */
  | { readonly is: 'link'; readonly text: string; readonly href: string }
  /** `q`: what is searched for, with a half-width sign. */
  | { readonly is: 'hashtag'; readonly text: string; readonly q: string }
  | { readonly is: 'mention'; readonly text: string; readonly personId: string }

/** Longest address shown, characters. */
const SHOWN = 40

/**
 * Cuts a text into pieces, in order.
 * @param mentions whose handles are links; others stay words
 */
export function textPieces(text: string, mentions: readonly MentionView[] = []): TextPiece[] {
  const ids = new Map(mentions.map((it) => [it.handle, it.id]))
  const pieces: TextPiece[] = []
  for (const token of tokensOf(text)) {
    const last = pieces.at(-1)
    const personId = token.is === 'mention' ? ids.get(token.handle) : undefined
    if (token.is === 'link') pieces.push({ is: 'link', text: shortened(token.url), href: token.url.href })
    else if (token.is === 'hashtag') pieces.push({ is: 'hashtag', text: token.text, q: `#${token.word}` })
    else if (personId !== undefined) pieces.push({ is: 'mention', text: token.text, personId })
    else if (last?.is === 'plain') pieces[pieces.length - 1] = { is: 'plain', text: last.text + token.text }
    else pieces.push({ is: 'plain', text: token.text })
  }
  return pieces
}

/** `example.com/path`: without protocol and www, in readable letters, cut where it is long. */
function shortened(url: URL): string {
  const rest = url.pathname === '/' ? '' : url.pathname
  const hostCharacters = Array.from(url.host.replace(/^www\./, '') + readable(rest + url.search + url.hash))
  return hostCharacters.length > SHOWN
    ? `${hostCharacters.slice(0, SHOWN - 1).join('')}…`
    : hostCharacters.join('')
}

/** Percent-encoded words as words, unless they would hide what the address is. */
function readable(path: string): string {
  try {
    const decoded = decodeURI(path)
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}
