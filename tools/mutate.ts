// `npm run mutate [-- area …]`: mutation testing by StrykerJS, one area after the other; scores go to docs/mutation.md.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'

interface Area {
  /** Files that are changed. */
  readonly mutate: readonly string[]
  /** Test files that have to notice. */
  readonly tests: readonly string[]
  /** The tests need a PostgreSQL server. */
  readonly database?: true
}

const sources = (folder: string) => [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/testing/**`]

/** Modules that need a database are mutated in the files that decide; the others are whole. */
const areas: Readonly<Record<string, Area>> = {
  'contract/rules': {
    mutate: ['contract/{rules,price,text-rule,width,mentions,fold}.ts'],
    tests: ['contract/{rules,price,text-rule,mentions,fold}.test.ts'],
  },
  'server/rules': { mutate: sources('server/rules'), tests: ['server/rules/**/*.test.ts'] },
  'sw/upload': { mutate: sources('sw/upload'), tests: ['sw/**/*.test.ts'] },
  device: { mutate: sources('device'), tests: ['device/**/*.test.ts', 'sw/**/*.test.ts'] },
  'server/modules/uploads': {
    mutate: sources('server/modules/uploads'),
    tests: ['server/modules/uploads/**/*.test.ts'],
    database: true,
  },
  'server/modules/posts': {
    mutate: ['server/modules/posts/{add,pieces,chunks,release,unreleased,change}.ts'],
    tests: ['server/modules/posts/**/*.test.ts'],
    database: true,
  },
  'server/modules/sessions': {
    mutate: sources('server/modules/sessions'),
    tests: ['server/modules/sessions/**/*.test.ts'],
    database: true,
  },
  'server/modules/media': {
    mutate: ['server/modules/media/{permit,send,routes}.ts'],
    tests: ['server/modules/media/{access,access-table,permit,send}*.test.ts'],
    database: true,
  },
}

interface Report {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly mutants: readonly {
          readonly status: string
          readonly mutatorName: string
          readonly replacement?: string
          readonly location: { readonly start: { readonly line: number } }
        }[]
      }
    >
  >
}

const page = 'docs/mutation.md'
const head = `# Mutation testing

Last results of \`npm run mutate\` (StrykerJS; \`npm run mutate -- sw/upload device\` runs these areas). What an earlier run
has judged is not run again while neither the code nor its tests changed. \`score\` is the share of mutants that a test
noticed (killed or timed out) of all that ran; survivors are listed below by file and line.

| area | mutants | killed | timed out | survived | no test | errors | score | date | commit |
|---|---|---|---|---|---|---|---|---|---|
`
/** Kept beside the project's other local files: what is judged already, per area. */
const folder = 'data/mutation'

const withStatic = process.argv.includes('static')
const wanted = process.argv.slice(2).filter((it) => it !== 'static')
const unknown = wanted.filter((it) => !(it in areas))
if (unknown.length > 0)
  throw new Error(`no such area: ${unknown.join(', ')}; there are ${Object.keys(areas).join(', ')}`)

const commit = (await run(['git', 'rev-parse', '--short', 'HEAD'])).output.trim()
const date = new Date().toISOString().slice(0, 10)
mkdirSync(folder, { recursive: true })
for (const [name, area] of Object.entries(areas))
  if (wanted.length === 0 || wanted.includes(name)) await mutate(name, area)

async function mutate(name: string, area: Area): Promise<void> {
  const file = name.replaceAll('/', '-')
  const report = join(folder, `${file}.json`)
  const config = join(folder, `${file}.config.json`)
  rmSync(report, { force: true })
  writeFileSync(
    config,
    JSON.stringify(configOf(area, { report, judged: join(folder, `${file}.judged.json`) })),
  )
  const env = {
    MUTATION_TESTS: area.tests.join('|'),
    MUTATION_DATABASE: area.database ? '1' : '',
  }
  const { code } = await run(['stryker', 'run', config], { loud: true, env })
  if (!existsSync(report)) {
    process.exitCode = code || 1
    return
  }
  keep(name, JSON.parse(readFileSync(report, 'utf8')) as Report)
}

function configOf(area: Area, files: { report: string; judged: string }): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: area.mutate,
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: files.judged,
    reporters: ['progress', 'json'],
    jsonReporter: { fileName: files.report },
    tempDirName: join(folder, 'copies'),
    ignorePatterns: ['/dist', '/docs', '/e2e', '/bench', '/data', '/test-results'],
    // It would read the file by a compiler interface that TypeScript no longer has.
    tsconfigFile: 'none.json',
    // What a module computes once, when it is imported, needs a new process for each mutant: `-- static` runs those too.
    ignoreStatic: !withStatic,
    // Only what hangs: a busy machine decides nothing.
    timeoutMS: 60_000,
  }
}

/** Puts an area's line and its survivors in place of those of an earlier run. */
function keep(name: string, report: Report): void {
  const mutants = Object.entries(report.files).flatMap(([file, it]) =>
    it.mutants.map((one) => ({ file, ...one })),
  )
  const count = (status: string) => mutants.filter((it) => it.status === status).length
  const [killed, timeout, survived, untested] = ['Killed', 'Timeout', 'Survived', 'NoCoverage'].map(count)
  const ran = (killed ?? 0) + (timeout ?? 0) + (survived ?? 0) + (untested ?? 0)
  const score = `${((100 * ((killed ?? 0) + (timeout ?? 0))) / Math.max(1, ran)).toFixed(1)} %`
  const errors = mutants.length - ran - count('Ignored')
  const cells = [name, mutants.length, killed, timeout, survived, untested, errors, score, date, commit]
  const alive = mutants.filter((it) => it.status === 'Survived' || it.status === 'NoCoverage')
  const lines = alive.map((it) => {
    const text = (it.replacement ?? '').replaceAll(/\s+/g, ' ').slice(0, 80)
    return `- \`${it.file}:${it.location.start.line}\` ${it.mutatorName}: \`${text}\``
  })
  const { rows, sections } = readPage()
  rows.set(name, `| ${cells.join(' | ')} |`)
  sections.set(name, `## ${name}\n\n${lines.join('\n') || 'None.'}\n`)
  const inOrder = Object.keys(areas).flatMap((it) => (rows.has(it) ? [it] : []))
  const table = inOrder.map((it) => rows.get(it)).join('\n')
  writeFileSync(page, `${head}${table}\n\n${inOrder.map((it) => sections.get(it)).join('\n')}`)
}

function readPage(): { rows: Map<string, string>; sections: Map<string, string> } {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const rows = new Map<string, string>()
  const sections = new Map<string, string>()
  for (const name of Object.keys(areas)) {
    const row = text.split('\n').find((it) => it.startsWith(`| ${name} |`))
    const section = text.split(/^(?=## )/m).find((it) => it.startsWith(`## ${name}\n`))
    if (row !== undefined) rows.set(name, row)
    if (section !== undefined) sections.set(name, section)
  }
  return { rows, sections }
}
