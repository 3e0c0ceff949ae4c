// CSV files (RFC 4180): quoted cells without formulas, lines that end with CRLF.

/** Lets spreadsheets read a file as UTF-8; the first character of it. */
export const CSV_BOM = '\uFEFF'

/** Characters with which spreadsheets begin a formula, also in full width. */
const FORMULA = /^[\s]*[=+\-@＝＋－＠]/
/** Whole numbers, which a spreadsheet may calculate with. */
const NUMBER = /^-?\d+$/

/** One quoted cell. A text that a spreadsheet would calculate is made a text by an apostrophe; a whole number is not. */
export function cellOf(text: string): string {
  const isFormula = (FORMULA.test(text) && !NUMBER.test(text)) || /^[\t\r\n]/.test(text)
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** A whole file, as UTF-8 with BOM. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  CSV_BOM + rows.map((row) => csvLine(row)).join('')
