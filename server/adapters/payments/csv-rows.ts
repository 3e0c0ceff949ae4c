// Splits a CSV text (RFC 4180) into rows of cells, each character once.

interface Cell {
  readonly value: string
  /** The place after it. */
  readonly end: number
}

/**
 * @param text with or without a BOM; lines end with CRLF, LF or CR
 * @returns the rows without empty lines; undefined when a quoted cell does not end, or text follows its quote
 */
export function csvRows(text: string): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\uFEFF') ? 1 : 0
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at + 1) : plainCell(text, at)
    if (!cell) return undefined
    row.push(cell.value)
    at = cell.end
    if (text[at] === ',') {
      at++
      if (at < text.length) continue
      row.push('')
    } else if (at < text.length && text[at] !== '\n' && text[at] !== '\r') return undefined
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  return rows
}

function plainCell(text: string, start: number): Cell {
  let end = start
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++
  return { value: text.slice(start, end), end }
}

/** @returns undefined when the closing quote is missing */
function quotedCell(text: string, start: number): Cell | undefined {
  const parts: string[] = []
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return undefined
    parts.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return { value: parts.join(''), end: quote + 1 }
    parts.push('"')
    from = quote + 2
  }
}
