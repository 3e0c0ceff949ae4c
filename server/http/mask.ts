// Masks secrets and addresses in a log line, in time linear to its length.

export const MASK = '[伏せました]'

/** A part of a text to replace, from `start` to before `end`. */
interface Replaced {
  readonly start: number
  readonly end: number
  readonly by: string
}

type Find = (text: string) => Generator<Replaced, void>

/** Tokens and their hashes: 32 bytes in base64url. */
const TOKEN = /(?<![\w-])[\w-]{43}(?![\w-])/g
const BEARER = /\bBearer(?: |%20)/gi
/** Fewest characters after `Bearer` that count as a token. */
const MIN_BEARER = 20

/** Code units of `[\w-]`. */
const isTokenUnit = (code: number): boolean =>
  (code >= 48 && code <= 57) || // 0-9
  (code >= 65 && code <= 90) ||
  (code >= 97 && code <= 122) ||
  code === 95 || // _
  code === 45 // -

function* bearers(text: string): Generator<Replaced, void> {
  let from = 0
  for (const { index, 0: found } of text.matchAll(BEARER)) {
    if (index < from) continue
    let start = index + found.length
    for (;;) {
      if (text[start] === ' ') start += 1
      else if (text.startsWith('%20', start)) start += 3
      else break
    }
    let end = start
    while (end < text.length && isTokenUnit(text.charCodeAt(end))) end += 1
    from = end
    if (end - start >= MIN_BEARER) yield { start, end, by: MASK }
  }
}

/**
 * Values that have the form of a token but are not secret. `before` matches the end of the line before the value, with the name of its
 * field. A message cannot imitate a field, since its quotes are escaped.
 */
const readable: readonly { readonly before: RegExp; readonly value: RegExp }[] = [
  // The end of the audit log, which the operator stores elsewhere (decision 083).
  { before: /[{,]"anchor":"\d{1,15}:$/, value: /^[\w-]{43}"$/ },
  // Names of constraints in errors of PostgreSQL: without a capital or a digit, which 43 random characters have.
  { before: /(?:[{,]"constraint":"|constraint \\")$/, value: /^[a-z_]{43}\\?"$/ },
]
/** Longest text that `before` matches. */
const BEFORE = 32

function isReadable(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start)
  const value = text.slice(start, text[end] === '\\' ? end + 2 : end + 1)
  return readable.some((it) => it.before.test(before) && it.value.test(value))
}

function* tokens(text: string): Generator<Replaced, void> {
  for (const { index, 0: found } of text.matchAll(TOKEN)) {
    const end = index + found.length
    if (!isReadable(text, index, end)) yield { start: index, end, by: MASK }
  }
}

const PARAMS = String.raw`\nparams: `
const STACK = String.raw`\n    at `

/** Where a JSON string, read from inside, ends: at its quote, at `mark`, or at the end of the text. */
function endOfString(text: string, from: number, mark: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"' || text.startsWith(mark, at)) return at
    if (text[at] === '\\') at += 1
  }
  return text.length
}

/** The values of a failed query, which follow the query in an error's message. */
function* queryValues(text: string): Generator<Replaced, void> {
  for (let at = text.indexOf(PARAMS); at !== -1;) {
    const start = at + PARAMS.length
    const end = endOfString(text, start, STACK)
    yield { start, end, by: MASK }
    at = text.indexOf(PARAMS, end)
  }
}

const KEY = 'Key ('
const VALUES = ')=('
const VERDICTS = [') already exists', ') is not present'] as const

/** The values in PostgreSQL's `Key (columns)=(values) already exists`; the columns stay. */
function* keyValues(text: string): Generator<Replaced, void> {
  for (let at = text.indexOf(KEY); at !== -1;) {
    const values = endOfString(text, at + KEY.length, VALUES)
    if (!text.startsWith(VALUES, values)) {
      at = text.indexOf(KEY, values)
      continue
    }
    const start = values + VALUES.length
    const stop = endOfString(text, start, '"')
    const inside = text.slice(start, stop)
    const verdict = Math.max(...VERDICTS.map((it) => inside.lastIndexOf(it)))
    // Without the known ending everything up to the end of the string is masked.
    yield { start, end: verdict === -1 ? stop : start + verdict, by: MASK }
    at = text.indexOf(KEY, stop)
  }
}

const LETTER = /\p{L}/u
/** Whether a code point may be part of the local part of an address. */
const isLocal = (code: number): boolean =>
  isTokenUnit(code) ||
  code === 46 || // .
  code === 43 || // +
  code === 39 || // '
  code === 37 || // %
  (code >= 0x80 && LETTER.test(String.fromCodePoint(code)))

const isFirst = (code: number): boolean => isLocal(code) && !/[.+_'%-]/.test(String.fromCodePoint(code))

/** Length of the code point that ends before `end`, code units. */
function widthBefore(text: string, end: number): number {
  const code = text.codePointAt(end - 2)
  return code !== undefined && code > 0xffff ? 2 : 1
}

/** Whether a host of two labels or more begins at `at`. */
function hostAt(text: string, at: number): boolean {
  let label = 0
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 46) {
      if (label === 0) return false
      const next = text.charCodeAt(i + 1)
      return isTokenUnit(next) && next !== 95
    }
    if (!isTokenUnit(code) || code === 95) return false
    label += 1
  }
  return false
}

const AT = /@|%40/g

/** Email addresses, except their first letter and host, so that the log shows what happened to an email. */
function* addresses(text: string): Generator<Replaced, void> {
  // Nothing before `from` is read twice: a run that reaches back to `from` began at `began`.
  let [from, began] = [0, 0]
  for (const { index, 0: sign } of text.matchAll(AT)) {
    let start = index
    while (start > from) {
      const width = widthBefore(text, start)
      if (!isLocal(text.codePointAt(start - width) ?? 0)) break
      start -= width
    }
    if (start <= from) start = began
    const after = index + sign.length
    // `%40` may itself be part of a longer local part; `@` may not.
    ;[from, began] = sign === '@' ? [after, after] : [index, start]
    if (!hostAt(text, after)) continue
    while (start < index && !isFirst(text.codePointAt(start) ?? 0)) start += 1
    if (start === index) continue
    const first = String.fromCodePoint(text.codePointAt(start) ?? 0)
    yield { start, end: index, by: `${first}***` }
    ;[from, began] = [after, after]
  }
}

function replaced(text: string, find: Find): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, by } of find(text)) {
    parts.push(text.slice(from, start), by)
    from = end
  }
  return from === 0 ? text : parts.join('') + text.slice(from)
}

/**
 * A line of the log without bearer tokens, 32-byte secrets (but for the digests of `readable`), the values of failed queries, and the local parts of email
 * addresses. Reads the line a fixed number of times.
 * @param line one line of JSON
 */
export function mask(line: string): string {
  return [bearers, tokens, queryValues, keyValues, addresses].reduce(replaced, line)
}
