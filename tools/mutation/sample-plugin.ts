// Plugin of StrykerJS that leaves out mutants outside of the sample. StrykerJS itself mutates all code inside the chosen ranges.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Environment variable with the name of a file: by source file, the ranges `[line, column, line, column]` to mutate. */
export const SAMPLED = 'MUTATION_SAMPLED'

type Range = readonly [line: number, column: number, endLine: number, endColumn: number]

/** What the plugin reads of a path of Babel. Lines count from 1, columns from 0. */
interface Path {
  readonly node: { readonly loc?: { readonly start: Position; readonly end: Position } | null }
  readonly hub?: { readonly file?: { readonly opts: { readonly filename?: string } } }
}

interface Position {
  readonly line: number
  readonly column: number
}

const named = process.env[SAMPLED]
const ranges = (named ? JSON.parse(readFileSync(named, 'utf8')) : {}) as Readonly<Record<string, Range[]>>

/** @returns a reason to leave out the mutants of this code and all code inside it: no sampled code is there */
function shouldIgnore({ node: { loc }, hub }: Path): string | undefined {
  const sampled = ranges[relative(process.cwd(), hub?.file?.opts.filename ?? '')]
  if (!loc || !sampled) return undefined
  const { start, end } = loc
  const isInside = ([line, column, endLine, endColumn]: Range): boolean =>
    (line > start.line || (line === start.line && column >= start.column)) &&
    (endLine < end.line || (endLine === end.line && endColumn <= end.column))
  return sampled.some(isInside) ? undefined : 'not in the sample'
}

export const strykerPlugins = [{ kind: 'Ignore', name: 'sample', value: { shouldIgnore } }]
