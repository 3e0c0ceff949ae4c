// `npm run test:deep`: stories that take hours; their last results are kept in docs/deep.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

interface Row {
  readonly mime: string
  readonly from: number
  readonly seconds: number
  readonly files: number
  readonly recognised: number
  readonly made: number
  readonly refused: number
  readonly died: number
  readonly late: number
  readonly leaks: number
}

const file = 'docs/deep/media-fuzz.md'
const head = `# Fuzzed media

Last results of \`npm run test:deep\` (\`KIND=video/mp4 FROM=5001 SEEDS=5000 npm run test:deep\` runs a part; 10,000 files
per kind are the whole). Each file is a small sound one with one to eight seeded changes, among them the names of a planted
file. \`recognised\`: the server would still accept it. \`died\`: the media process ended; the product tries again and gives
up after four times. \`late\`: ended after 20 s. \`leaks\`: outputs with bytes of the planted file.

| kind | first | files | recognised | made | refused | died | late | leaks | seconds | date | commit |
|---|---|---|---|---|---|---|---|---|---|---|---|
`

const folder = mkdtempSync(join(tmpdir(), 'todoke-deep-'))
const results = join(folder, 'results.jsonl')
const { code } = await run(['vitest', 'run', '--project', 'deep', ...process.argv.slice(2)], {
  loud: true,
  env: { DEEP_RESULTS: results },
})
if (existsSync(results)) await keep(readFileSync(results, 'utf8'))
rmSync(folder, { recursive: true })
process.exitCode = code

/** One line per kind and first number: a later run of the same part takes its place. */
async function keep(text: string): Promise<void> {
  const commit = (await run(['git', 'rev-parse', '--short', 'HEAD'])).output.trim()
  const date = new Date().toISOString().slice(0, 10)
  const lines = new Map<string, string>()
  const kept = existsSync(file) ? readFileSync(file, 'utf8').matchAll(/^\| (\S+) \| (\d+) \|.*$/gm) : []
  for (const [line, mime, from] of kept) lines.set(`${mime} ${from}`, line)
  for (const line of text.trim().split('\n')) {
    const it = JSON.parse(line) as Row
    const counts = [it.files, it.recognised, it.made, it.refused, it.died, it.late, it.leaks, it.seconds]
    lines.set(`${it.mime} ${it.from}`, `| ${[it.mime, it.from, ...counts, date, commit].join(' | ')} |`)
  }
  mkdirSync('docs/deep', { recursive: true })
  writeFileSync(file, `${head}${[...lines.values()].toSorted().join('\n')}\n`)
}
