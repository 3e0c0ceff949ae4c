// The text of an SQL statement without the values in it.

/** Longest text that is read, and longest that is returned, UTF-16 units. */
const READ = 8000
const MOST = 2000

/** Text that is taken or left out as a whole; each pattern is tried where the last one ended. */
const PARTS: readonly { readonly pattern: RegExp; readonly by?: string }[] = [
  { pattern: /--[^\n]*/y, by: ' ' },
  { pattern: /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|\*?$)/y, by: ' ' },
  { pattern: /[eE]'(?:[^'\\]|''|\\[^])*(?:'|\\?$)/y, by: '?' },
  { pattern: /(?:[bBxXnN]|[uU]&)?'(?:[^']|'')*(?:'|$)/y, by: '?' },
  { pattern: /"(?:[^"]|"")*(?:"|$)/y },
  { pattern: /\$\d+/y },
  { pattern: /[\p{L}_][\p{L}\p{N}_$]*/uy },
  { pattern: /\d[\w.]*/y, by: '?' },
  { pattern: /\s+/y, by: ' ' },
]

const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy

/** Where a text between dollars ends; undefined where none begins. */
function endOfDollars(sql: string, at: number): number | undefined {
  DOLLAR.lastIndex = at
  const mark = DOLLAR.exec(sql)?.[0]
  if (mark === undefined) return undefined
  const close = sql.indexOf(mark, at + mark.length)
  return close === -1 ? sql.length : close + mark.length
}

/** @returns the statement, with `?` for each text and number in it; its parameters stay `$1` */
export function statementText(statement: string): string {
  const sql = statement.slice(0, READ)
  let text = ''
  for (let at = 0; at < sql.length && text.length < MOST;) {
    const dollars = endOfDollars(sql, at)
    if (dollars !== undefined) {
      text += '?'
      at = dollars
      continue
    }
    const [found, by] = partAt(sql, at)
    if (by !== ' ' || !text.endsWith(' ')) text += by ?? found
    at += found.length
  }
  return text.slice(0, MOST).trim()
}

/** The part of the statement that begins at a position, and its replacement in the span. */
function partAt(sql: string, at: number): readonly [found: string, by?: string] {
  for (const { pattern, by } of PARTS) {
    pattern.lastIndex = at
    const found = pattern.exec(sql)?.[0]
    if (found !== undefined && found !== '') return by === undefined ? [found] : [found, by]
  }
  return [sql.charAt(at)]
}

/** The first word of a statement, such as `SELECT`; `OTHER` for what is no word. */
export const operationIn = (statement: string): string =>
  /^\s*([a-z]{1,20})\b/i.exec(statement)?.[1]?.toUpperCase() ?? 'OTHER'
