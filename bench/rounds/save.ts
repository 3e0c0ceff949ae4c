// Reads and writes the results of benches, bench/results/<bench>.json, and docs/figures.md.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { withTables } from './page.ts'
import { type Result, resultFile, withResult } from './result.ts'
import type { Measured } from './rounds.ts'

const root = join(import.meta.dirname, '../..')
const RESULTS = join(root, 'bench/results')
export const PAGE = join(root, 'docs/figures.md')
/** Fewer rounds give no minimum, median and maximum that say anything. */
const LEAST_ROUNDS = 3

const fileOf = (bench: string): string => join(RESULTS, `${bench}.json`)

function readFile(path: string): Result[] {
  return existsSync(path) ? v.parse(resultFile, JSON.parse(readFileSync(path, 'utf8'))) : []
}

/** All results by bench, the newest last. @throws when a file has another shape */
export function readResults(): Map<string, Result[]> {
  const names = readdirSync(RESULTS).filter((it) => it.endsWith('.json'))
  return new Map(names.toSorted().map((it) => [it.slice(0, -'.json'.length), readFile(join(RESULTS, it))]))
}

/** The results as JSON, with the values of all rounds on one line. */
export function toJson(results: readonly Result[]): string {
  const json = JSON.stringify(results, null, 2)
  const lists = json.replaceAll(/\[[-\d.,e\s]+\]/g, (it) =>
    it.replaceAll(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  )
  return `${lists}\n`
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The short hash of the commit, with `+` when files other than results have changes. Asked before a bench begins. */
export function commitName(): string {
  const changes = git('status', '--porcelain', '--', '.', ':!bench/results', ':!docs/figures.md')
  return git('rev-parse', '--short', 'HEAD') + (changes === '' ? '' : '+')
}

/** Writes docs/figures.md anew from all results. */
export function writePage(): void {
  writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8'), readResults()))
}

/**
 * Adds results to the file of a bench, and to docs/figures.md.
 * @param commit what was measured, by `commitName`
 * @throws when a result has fewer than three rounds
 */
export function saveResults(bench: string, commit: string, measured: readonly Measured[]): void {
  const few = measured.find((it) => it.rounds < LEAST_ROUNDS)
  if (few)
    throw new Error(`${few.setting}: a saved result needs ${LEAST_ROUNDS} rounds, it has ${few.rounds}`)
  const date = new Date().toISOString().slice(0, 10)
  const added = measured.map((it): Result => ({ date, commit, ...it }))
  const json = toJson(added.reduce(withResult, readFile(fileOf(bench))))
  // A figure that is no number would be null, and the file could not be read any more.
  v.parse(resultFile, JSON.parse(json))
  writeFileSync(fileOf(bench), json)
  writePage()
  console.log(`saved in bench/results/${bench}.json and docs/figures.md`)
}
