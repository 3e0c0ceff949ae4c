// The page of the results of mutation testing, `docs/mutation.md`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Area, areas, filesOf } from './areas.ts'
import { explainedBy, readExplanations, shownText } from './explained.ts'
import type { Report } from './report.ts'

export const page = 'docs/mutation.md'
export const explanationsFile = 'docs/mutation-explained.json'
/** Mutants that no test can or should kill, which the score excludes (`explained.ts`). */
const explanations = readExplanations(explanationsFile)
/** Begins the part of `sample-page.ts`. */
export const samplesTitle = '## Samples\n'

const noReasons = '## Survivors\n'
const head = `# Mutation testing

Last results of \`npm run mutate\` (StrykerJS; \`npm run mutate -- sw/queue device\` runs these areas, \`-- device/jobs/jobs.ts\`
this file). What an earlier run has judged is not run again while neither the code nor its tests changed; a run that is
stopped with Ctrl+C goes on there, and changes nothing here. \`score\` is the share of mutants that a test noticed (killed or timed out) of all that
ran. \`static\`: computed once when a module is imported; left out unless the command ends with \`static\`.
\`files\`: judged so far, of all files of the area. \`explained\`: survived or without a test, with a reason in
[mutation-explained.json](mutation-explained.json) why no test should notice; \`survived\`, \`no test\` and \`score\` leave them
out. Why survivors are left: [below the table](#survivors).

| area | files | mutants | killed | timed out | survived | no test | explained | static | errors | score | date | commit |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
`

/**
 * Replaces the row and the survivors of an area on the page.
 * @param judgedAt date and commit of the results; by default those of the row
 */
export function updatePage(name: string, area: Area, report: Report, judgedAt?: string): void {
  const all = filesOf(area.mutate)
  const judged = Object.keys(report.files).filter((it) => all.includes(it))
  const mutants = judged.flatMap((file) => {
    const { source = '', mutants: found = [] } = report.files[file] ?? {}
    return found.map((it) => ({ file, ...it, reason: explainedBy(explanations, file, source, it) }))
  })
  const left = mutants.filter(({ reason }) => reason === undefined)
  const count = (status: string, of = mutants) => of.filter((it) => it.status === status).length
  const [killed, timeout] = [count('Killed'), count('Timeout')]
  const [survived, untested] = [count('Survived', left), count('NoCoverage', left)]
  const ran = killed + timeout + survived + untested
  const explained = mutants.length - left.length
  const score = `${((100 * (killed + timeout)) / Math.max(1, ran)).toFixed(1)} %`
  const errors = mutants.length - ran - explained - count('Ignored')
  const files = `${judged.length} of ${all.length}`
  const figures = [mutants.length, killed, timeout, survived, untested, explained, count('Ignored'), errors]
  const { rows, sections, samples, reasons } = readPage()
  const before = rows.get(name)?.split(' | ').slice(-2).join(' | ').replace(/ \|$/, '')
  const cells = [name, files, ...figures, score, judgedAt ?? before ?? '']
  const survivors = left.filter((it) => it.status === 'Survived')
  const lines = survivors.map((it) => {
    const text = shownText(it.replacement).slice(0, 80)
    return `- \`${it.file}:${it.location.start.line}\` ${it.mutatorName}: \`${text}\``
  })
  for (const file of judged) {
    const at = left.filter((it) => it.file === file && it.status === 'NoCoverage')
    const numbers = [...new Set(at.map((it) => it.location.start.line))].toSorted((x, y) => x - y)
    if (at.length > 0) lines.push(`- \`${file}\` no test: ${at.length} in lines ${numbers.join(', ')}`)
  }
  rows.set(name, `| ${cells.join(' | ')} |`)
  sections.set(name, `## ${name}\n\n${lines.join('\n') || 'None.'}\n`)
  const inOrder = Object.keys(areas).flatMap((it) => (rows.has(it) ? [it] : []))
  const table = inOrder.map((it) => rows.get(it)).join('\n')
  const lists = inOrder.map((it) => sections.get(it)).join('\n')
  writeFileSync(page, `${head}${table}\n\n${samples}${reasons}\n${lists}`)
}

interface Page {
  /** By area. */
  readonly rows: Map<string, string>
  /** Lists of survivors, by area. */
  readonly sections: Map<string, string>
  readonly samples: string
  /** Written by hand. */
  readonly reasons: string
}

function readPage(): Page {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const parts = text.split(/^(?=## )/m)
  const rows = new Map<string, string>()
  const sections = new Map<string, string>()
  for (const name of Object.keys(areas)) {
    const row = parts[0]?.split('\n').find((it) => it.startsWith(`| ${name} |`))
    const section = parts.find((it) => it.startsWith(`## ${name}\n`))
    if (row !== undefined) rows.set(name, row)
    if (section !== undefined) sections.set(name, `${section.trimEnd()}\n`)
  }
  const reasons = parts.find((it) => it.startsWith(noReasons)) ?? noReasons
  const samples = parts.find((it) => it.startsWith(samplesTitle)) ?? ''
  return { rows, sections, samples, reasons: `${reasons.trimEnd()}\n` }
}
