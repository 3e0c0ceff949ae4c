// The table of samples on the page of the results of mutation testing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { areas } from './areas.ts'
import { readExplanations } from './explained.ts'
import { explanationsFile, page, samplesTitle } from './page.ts'
import type { Report } from './report.ts'
import { interval, type Place, resultOf } from './sample.ts'

/** A sample as it was chosen and judged. */
export interface Sample {
  readonly seed: string
  readonly date: string
  readonly commit: string
  /** Number of all mutants of the area, with the static ones. */
  readonly all: number
  readonly places: readonly Place[]
}

const head = `${samplesTitle}
Areas with too many mutants to judge them all: \`npm run mutate -- server/services/billing sample 40\` judges about 40 mutants of the area,
and \`seed …\` behind it chooses the same ones again. The pieces of code to mutate are chosen at random, and all mutants of a piece are judged.
\`killed\`: also those that timed out. \`score\`: the share of killed ones among those without a reason, with its 95 % interval (Wilson), which is
somewhat too narrow, since mutants of one piece are not independent. Mutants that turn out to be static are not counted.

| area | mutants in all | judged | killed | survived | no test | explained | score | 95 % | date | commit | seed |
|---|---|---|---|---|---|---|---|---|---|---|---|
`

/** Replaces the row of an area in the table of samples. */
export function updateSample(name: string, sample: Sample, report: Report): void {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const parts = text.split(/^(?=## )/m)
  const at = parts.findIndex((it) => it.startsWith(samplesTitle))
  const rows = new Map<string, string>()
  for (const line of (parts[at] ?? '').split('\n')) {
    const area = /^\| (\S+) \| \d/.exec(line)?.[1]
    if (area !== undefined) rows.set(area, line)
  }
  rows.set(name, rowOf(name, sample, report))
  const inOrder = Object.keys(areas).flatMap((it) => rows.get(it) ?? [])
  const section = `${head}${inOrder.join('\n')}\n\n`
  writeFileSync(page, (at < 0 ? parts.toSpliced(1, 0, section) : parts.with(at, section)).join(''))
}

function rowOf(name: string, { seed, date, commit, all, places }: Sample, report: Report): string {
  const { killed, survived, untested, explained } = resultOf(
    report,
    places,
    readExplanations(explanationsFile),
  )
  const ran = killed + survived + untested
  const percent = (it: number) => (100 * it).toFixed(1)
  const [low, high] = interval(killed, ran)
  const score = `${percent(killed / Math.max(1, ran))} %`
  const figures = [all, ran + explained, killed, survived, untested, explained]
  return `| ${[name, ...figures, score, `${percent(low)} to ${percent(high)} %`, date, commit, seed].join(' | ')} |`
}
