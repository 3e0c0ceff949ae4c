// The tables of docs/figures.md, made from the results in bench/results.
import { type Machine, type MethodResult, type Result, type Series, spreadOfSeries } from './result.ts'
import { shown, shownSpread } from './statistics.ts'

/** A result, or one that has just been measured. */
export type Row = Omit<Result, 'date' | 'commit'> & Partial<Pick<Result, 'date' | 'commit'>>

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const spreadCell = (it: Series | undefined): string =>
  it === undefined ? '' : shownSpread(spreadOfSeries(it))

/** The ratios by round, where they are known. */
const roundsCell = (it: Series | undefined): string =>
  Array.isArray(it) && it.length > 1 ? it.map((ratio) => ratio.toFixed(2)).join(' ') : ''

function machineCells(machine: Result['machine']): string[] {
  if (machine === undefined) return ['', '']
  const both = (of: (it: Machine) => number) =>
    [machine.before, machine.after].map((it) => shown(of(it))).join(', ')
  return [`${both((it) => it.loop)} (${both((it) => it.processor)})`, both((it) => it.load)]
}

/** Names of all figures, in the order in which they appear. */
const figureNames = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap((row) => row.methods.flatMap((it) => Object.keys(it.figures)))),
]

function cellsOf(row: Row, method: MethodResult, figures: readonly string[]): string[] {
  const commit = row.commit === undefined || row.commit === '' ? '' : `\`${row.commit}\``
  return [
    row.date ?? 'now',
    commit,
    method.name,
    String(row.rounds),
    spreadCell(method.ratio),
    roundsCell(method.ratio),
    ...figures.map((name) => spreadCell(method.figures[name])),
    ...machineCells(row.machine),
  ]
}

/**
 * A table with a row for each method of each result.
 * @param rows results of one setting
 * @returns lines of Markdown; columns that are empty in each row are left out
 */
export function tableOf(rows: readonly Row[]): string {
  const figures = figureNames(rows)
  const compared = rows.find((it) => it.compared !== undefined)?.compared
  const ratio = compared === undefined ? 'ratio' : `${compared.figure}, ratio to ${compared.baseline}`
  const head = ['date', 'commit', 'method', 'rounds', ratio, 'of each round', ...figures]
  const heads = [...head, 'loop, ms (processor)', 'load']
  const cells = rows.flatMap((row) => row.methods.map((it) => cellsOf(row, it, figures)))
  const used = heads.flatMap((_, n) => (cells.some((it) => it[n] !== '') ? [n] : []))
  const kept = (all: readonly string[]) => used.flatMap((n) => all[n] ?? [])
  return [line(kept(heads)), `|${'---|'.repeat(used.length)}`, ...cells.map((it) => line(kept(it)))].join(
    '\n',
  )
}

/** The tables of one bench: one for each setting, the newest result first. */
export function tablesOf(results: readonly Result[]): string {
  const settings = [...new Set(results.toReversed().map((it) => it.setting))]
  const parts = settings.map((setting) => {
    const rows = results.filter((it) => it.setting === setting).toReversed()
    const notes = rows.flatMap((it) => (it.note === undefined ? [] : [`- ${it.date}: ${it.note}`]))
    return [`**${setting}**`, tableOf(rows), ...(notes.length > 0 ? [notes.join('\n')] : [])].join('\n\n')
  })
  return parts.join('\n\n')
}

const END = '<!-- end of results -->'
const beginOf = (bench: string): string => `<!-- results of ${bench} -->`

/**
 * Replaces the tables of the page; what is written by hand around them stays.
 * @param page text with `<!-- results of upload -->` and `<!-- end of results -->` around the tables of each bench
 * @throws when a bench has results and no place on the page, or the page a place for a bench without results
 */
export function withTables(page: string, results: ReadonlyMap<string, readonly Result[]>): string {
  const [head = '', ...parts] = page.split('<!-- results of ')
  const found = new Set<string>()
  const made = parts.map((part) => {
    const [bench, rest] = [part.slice(0, part.indexOf(' -->')), part.slice(part.indexOf(END))]
    const all = results.get(bench)
    if (!part.includes(END)) throw new Error(`${beginOf(bench)} has no ${END}`)
    if (all === undefined) throw new Error(`${beginOf(bench)}: there is no bench/results/${bench}.json`)
    found.add(bench)
    return `${beginOf(bench)}\n\n${tablesOf(all)}\n\n${rest}`
  })
  const missing = [...results.keys()].find((it) => !found.has(it))
  if (missing !== undefined) throw new Error(`the page has no ${beginOf(missing)}`)
  return [head, ...made].join('')
}
