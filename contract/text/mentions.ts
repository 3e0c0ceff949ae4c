// Finds links, hashtags and mentions in texts, by one rule for browser and server.
import * as v from 'valibot'
import { id } from '#contract/ids.ts'

/** The form of a handle in a text, without the @. */
export const HANDLE = /^[a-z0-9_]{3,20}$/

/** A mentioned account. */
export const mentionView = v.object({ handle: v.string(), id })
export type MentionView = v.InferOutput<typeof mentionView>

/** More names than this in one text are read as plain text. */
const MAX_MENTIONS = 50
/** How many of the people a text names are notified, the first ones. */
export const MAX_MENTIONED = 10
/** A hashtag longer than this is none, UTF-16 units. */
const MAX_HASHTAG = 100

export type TextToken =
  | { readonly is: 'plain'; readonly text: string }
  | { readonly is: 'link'; readonly text: string; readonly url: URL }
  /** `word`: without its sign. */
  | { readonly is: 'hashtag'; readonly text: string; readonly word: string }
  /** `handle`: in lower case, without its sign. */
  | { readonly is: 'mention'; readonly text: string; readonly handle: string }

// Each branch begins with its own sign and never gives back what it took, so that reading is linear in the text.
//
// A host may be written in Japanese. Its last part is Latin, or one that sites of Japan and its neighbours have, or what `/` follows; a
// hiragana behind it begins the rest of the sentence. A part of a path or a value may begin with any letter but a hiragana, for the same
// reason; behind `/wiki/` and `/tags/` is a name, which may. Signs of names, such as a middle dot, are part of it before a kanji or kana.
//
// A hashtag has the signs that twitter-text allows. Those that join two words or sounds, such as middle dot and wave dash, are no part of
// it at its end, where they belong to the sentence. The sign of a keycap (#️⃣), and one before an address, begin none.
const SIGNS =
  /(?<url>[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:(?:[\p{L}\p{M}\p{N}-]+\.)+?(?:[A-Za-z]{2,}|みんな|コム|ストア|セール|クラウド|世界|中国|中國|香港|台湾|台灣|한국|рф|[\p{L}\p{M}]{2,}(?=[/?#:]))(?![A-Za-z\d-]|\.[\p{L}\p{N}]|[\p{sc=Han}\p{sc=Katakana}]))?(?:[\w\-.~:/?#[\]@!$&'()*+,;=%]+|(?:(?<=[=+_:-]|[^/]\/|\/wiki\/\w{0,20})(?!\p{sc=Hiragana})[\p{L}〇]|(?<=\/(?:wiki|tags?)\/)(?!を)\p{sc=Hiragana})(?:[\p{L}\p{M}\p{N}_\-.~()%]|[・〜～×](?=[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}]))*)*)|[#＃](?!\ufe0f|\u20e3|[Hh][Tt][Tt][Pp][Ss]?:\/\/)(?<word>[・･〜～゠·־\u200c\u200d]*[\p{L}\p{M}\p{N}_゛゜〃׳״་༌꙾]+(?:[・･〜～゠·־\u200c\u200d]+[\p{L}\p{M}\p{N}_゛゜〃׳״་༌꙾]+)*)|[@＠](?<name>[A-Za-z0-9_]+)(?<more>[@＠]?)/gu

/** After one of these a sign is part of a word: a mail address, `C#`, the path of an address. */
const WORD_BEFORE = /[\w.%+\-/&@＠#＃]/

/**
 * Cuts a text into plain parts, links, hashtags and mentions, in order and with nothing lost.
 * An address ends before what is no part of an address (Japanese has no spaces), and before the punctuation of its sentence.
 * @param text as it was written
 */
export function tokensOf(text: string): TextToken[] {
  const tokens: TextToken[] = []
  let from = 0
  for (const match of text.matchAll(SIGNS)) {
    const before = text[match.index - 1]
    const token = tokenOf(match, before)
    if (!token) continue
    if (match.index > from) tokens.push({ is: 'plain', text: text.slice(from, match.index) })
    tokens.push(token)
    from = match.index + token.text.length
  }
  if (from < text.length) tokens.push({ is: 'plain', text: text.slice(from) })
  return tokens
}

function tokenOf(match: RegExpExecArray, before: string | undefined): TextToken | undefined {
  const { url, word, name, more } = match.groups ?? {}
  if (url !== undefined) return before !== undefined && /\w/.test(before) ? undefined : linkOf(url)
  if (before !== undefined && WORD_BEFORE.test(before)) return undefined
  const text = match[0]
  if (word !== undefined) {
    return /\p{L}/u.test(word) && word.length <= MAX_HASHTAG ? { is: 'hashtag', text, word } : undefined
  }
  const handle = name?.toLowerCase() ?? ''
  return more === '' && HANDLE.test(handle) ? { is: 'mention', text, handle } : undefined
}

/** A link target; a URL with a user or a password may imitate another site and is refused. */
function linkOf(run: string): TextToken | undefined {
  const text = withoutPunctuation(run)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !url.hostname.includes('.') || url.username !== '' || url.password !== '') return undefined
  return { is: 'link', text, url }
}

/** Drops what belongs to the sentence: full stops, commas, and brackets that were opened before the address. */
function withoutPunctuation(run: string): string {
  let open = 0
  for (const sign of run) open += sign === '(' || sign === '[' ? 1 : sign === ')' || sign === ']' ? -1 : 0
  let end = run.length
  for (; end > 0; end--) {
    const last = run[end - 1] ?? ''
    if ((last === ')' || last === ']') && open < 0) open++
    else if (!/[.,:;!?'*~]/.test(last)) break
  }
  return run.slice(0, end)
}

/** The handles a text names, each once, in order. */
export function handlesIn(text: string): string[] {
  // Most texts have no mention, and each post of a page is checked.
  if (!/[@＠]/.test(text)) return []
  const handles = tokensOf(text).flatMap((it) => (it.is === 'mention' ? [it.handle] : []))
  return [...new Set(handles)].slice(0, MAX_MENTIONS)
}
