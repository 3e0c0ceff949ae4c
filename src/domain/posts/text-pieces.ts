// Cuts a user's text into plain words, links, hashtags and mentions.
import { type MentionView, tokensOf } from '#contract/text/mentions.ts'

export type TextPiece =
  | { readonly is: 'plain'; readonly text: string }
  /** `text`: the shortened URL. */
  | { readonly is: 'link'; readonly text: string; readonly href: string }
  /** `q`: the search text, with a half-width sign. */
  | { readonly is: 'hashtag'; readonly text: string; readonly q: string }
  | { readonly is: 'mention'; readonly text: string; readonly personId: string }

/** Longest shown URL, characters. */
const MAX_SHOWN = 40

/**
 * Cuts a text into pieces, in order.
 * @param mentions people whose handles become links
 */
export function textPieces(text: string, mentions: readonly MentionView[] = []): TextPiece[] {
  const ids = new Map(mentions.map((it) => [it.handle, it.id]))
  const pieces: TextPiece[] = []
  for (const token of tokensOf(text)) {
    const last = pieces.at(-1)
    const personId = token.is === 'mention' ? ids.get(token.handle) : undefined
    if (token.is === 'link') pieces.push({ is: 'link', text: shortened(token), href: token.url.href })
    else if (token.is === 'hashtag') pieces.push({ is: 'hashtag', text: token.text, q: `#${token.word}` })
    else if (personId !== undefined) pieces.push({ is: 'mention', text: token.text, personId })
    else if (last?.is === 'plain') pieces[pieces.length - 1] = { is: 'plain', text: last.text + token.text }
    else pieces.push({ is: 'plain', text: token.text })
  }
  return pieces
}

/** `example.com/path`: a URL without protocol and www, decoded, and cut when it is long. */
function shortened({ text, url }: { readonly text: string; readonly url: URL }): string {
  const rest = url.pathname === '/' ? '' : url.pathname
  const characters = Array.from(
    hostOf(text, url).replace(/^www\./, '') + readable(rest + url.search + url.hash),
  )
  return characters.length > MAX_SHOWN
    ? `${characters.slice(0, MAX_SHOWN - 1).join('')}…`
    : characters.join('')
}

/** As ASCII (xn--…), unless it is Japanese: each of its parts has Latin letters or Japanese ones, which do not look alike. */
function hostOf(text: string, url: URL): string {
  const [, typed = ''] = /:\/\/([^/?#]*)/.exec(text) ?? []
  const isJapanese = typed
    .split('.')
    .every((it) => /^(?:[\w-]+|[\d\-ー\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]+)$/u.test(it))
  return isJapanese ? typed.toLowerCase() : url.host
}

/** Decodes a path, unless its characters would disguise the URL. */
function readable(path: string): string {
  try {
    const decoded = decodeURI(path)
    return /[\p{C}\p{Z}]/u.test(decoded) ? path : decoded
  } catch {
    return path
  }
}
