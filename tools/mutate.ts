// `npm run mutate [-- area or file …]`: mutation testing by StrykerJS, area by area.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { explainedBy, readExplanations, shownText } from './mutation-explained.ts'
import { run } from './run.ts'

interface Area {
  /** Files to mutate. */
  readonly mutate: readonly string[]
  /** Test files that should kill the mutants. */
  readonly tests: readonly string[]
  /**
   * By file: its test files, for a run of this file alone. Each mutant loads the server again, and one that survives runs
   * every test that reaches it: tests that say nothing about the file take most of the time.
   */
  readonly testsOf?: Readonly<Record<string, readonly string[]>>
  /**
   * Whether the tests need a PostgreSQL server. Each test file opens the app before its first test, so that registering
   * routes counts as static; otherwise only a test that opens an app of its own would cover those mutants.
   */
  readonly database?: true
  /** Whether mutants that survive the unit tests also run in `STORIES` seeded stories of each simulation. */
  readonly simulation?: true
}

/** Number of seeded stories per mutant: more find rarer faults, and take longer for each survivor. */
const STORIES = 30
const simulations = 'sw/sim/{mutations,queue,queue-2}.sim.ts'

const sources = (folder: string) => [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/testing/**`]

/** All areas. Of modules that need a database, only the files with decisions are mutated. */
const areas: Readonly<Record<string, Area>> = {
  'contract/rules': {
    mutate: ['contract/{rules,posts/price,text/text-rule,text/width,text/mentions,text/fold}.ts'],
    tests: ['contract/{rules,posts/price,text/text-rule,text/mentions,text/fold}.test.ts'],
  },
  'server/rules': { mutate: sources('server/rules'), tests: ['server/rules/**/*.test.ts'] },
  'sw/queue': {
    // `runtime-ports.ts` passes the browser's interfaces to the queue; only browser stories run it.
    mutate: [...sources('sw/queue'), '!sw/queue/runtime-ports.ts'],
    tests: ['sw/queue/**/*.test.ts'],
    simulation: true,
  },
  device: {
    mutate: sources('device'),
    tests: ['device/**/*.test.ts', 'sw/queue/*.test.ts', 'src/features/publish/**/*.test.ts'],
    simulation: true,
  },
  'server/modules/uploads': {
    mutate: sources('server/modules/uploads'),
    tests: ['server/modules/uploads/**/*.test.ts'],
    database: true,
  },
  'server/modules/posts': {
    mutate: ['server/modules/posts/{add,attachments,chunks,release,unreleased,change}.ts'],
    // Lists, ends of access and limits of forms are decided in other files. Effects of a release or a change are tested by
    // the modules that they reach.
    tests: [
      'server/modules/posts/{add,add-leftovers,attachments,change,chunks,chunk-writes,identity-gate}.test.ts',
      'server/modules/posts/{refusals,refused-files,release,unreleased}.test.ts',
      'server/modules/notifications/{mentions,fan-out}.test.ts',
      'server/modules/realtime/{endings,revalidate}.test.ts',
      'server/stored-bytes.test.ts',
    ],
    testsOf: {
      'server/modules/posts/release.ts': [
        'server/modules/posts/{add,change,identity-gate,release,unreleased}.test.ts',
        'server/modules/notifications/{mentions,fan-out}.test.ts',
      ],
      'server/modules/posts/unreleased.ts': ['server/modules/posts/unreleased.test.ts'],
      'server/modules/posts/chunks.ts': [
        'server/modules/posts/{chunks,chunk-writes,unreleased}.test.ts',
        'server/stored-bytes.test.ts',
      ],
      'server/modules/posts/attachments.ts': [
        'server/modules/posts/{attachments,refusals,refused-files,add}.test.ts',
      ],
      'server/modules/posts/add.ts': [
        'server/modules/posts/{add,add-leftovers,attachments,identity-gate,refusals,unreleased}.test.ts',
        'server/modules/machine/settings.test.ts',
        'server/modules/moderation/pace.test.ts',
        'server/stored-bytes.test.ts',
      ],
    },
    database: true,
  },
  'server/modules/sessions': {
    mutate: sources('server/modules/sessions'),
    tests: [
      'server/modules/sessions/**/*.test.ts',
      'server/services/auth/account-failures.test.ts',
      'server/modules/accounts/reset.test.ts',
      'server/modules/realtime/endings.test.ts',
    ],
    database: true,
  },
  'server/modules/media': {
    mutate: ['server/modules/media/{permit,send,routes}.ts'],
    // These tests write media files themselves. The other tests convert media, which takes minutes for each mutant, and
    // `access-table` requests every post as every viewer; the policy itself is tested in `server/rules`.
    tests: ['server/modules/media/{permit,permit-holders,send}.test.ts'],
    database: true,
  },
}

interface Mutant {
  readonly status: string
  readonly mutatorName: string
  readonly replacement?: string
  /** Lines and columns count from 1. */
  readonly location: { readonly start: Position; readonly end: Position }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** The report of StrykerJS: every file that was tested in this run or an earlier one. */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

const page = 'docs/mutation.md'
/** Mutants that no test can or should kill, which the score excludes (`mutation-explained.ts`). */
const explanations = readExplanations('docs/mutation-explained.json')
/** Folder of the results of each area, which are not committed. */
const folder = 'data/mutation'

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

const withStatic = process.argv.includes('static')
/** Whether to write only the page, from earlier results, after a change of reasons. */
const isPageOnly = process.argv.includes('page')
const wanted = process.argv.slice(2).filter((it) => it !== 'static' && it !== 'page')
const unknown = wanted.filter((it) => !(it in areas) && !areaOf(it))
if (unknown.length > 0)
  throw new Error(`no such area or file: ${unknown.join(', ')}; areas: ${Object.keys(areas).join(', ')}`)

const commit = (await run(['git', 'rev-parse', '--short', 'HEAD'])).output.trim()
const date = new Date().toISOString().slice(0, 10)
mkdirSync(folder, { recursive: true })
for (const [name, area] of Object.entries(areas)) {
  const files = wanted.filter((it) => areaOf(it) === name)
  if (wanted.length === 0 || wanted.includes(name)) await mutate(name, area, area.mutate)
  else {
    const others: string[] = []
    for (const file of files) {
      const tests = area.testsOf?.[file]
      if (tests) await mutate(name, { ...area, tests }, [file])
      else others.push(file)
    }
    if (others.length > 0) await mutate(name, area, others)
  }
}

/** The area that mutates this file. */
function areaOf(file: string): string | undefined {
  return Object.entries(areas).find(([, { mutate: patterns }]) => filesOf(patterns).includes(file))?.[0]
}

function filesOf(patterns: readonly string[]): string[] {
  const no = patterns.filter((it) => it.startsWith('!')).map((it) => it.slice(1))
  return globSync(patterns.filter((it) => !it.startsWith('!'))).filter(
    (file) => !no.some((pattern) => matchesGlob(file, pattern)),
  )
}

/**
 * Mutates an area. The page has no results of a run that was stopped: they lack the mutants that the run had not reached.
 * @param mutated the area's patterns, or some of its files: results of the others remain
 */
async function mutate(name: string, area: Area, mutated: readonly string[]): Promise<void> {
  const file = name.replaceAll('/', '-')
  if (!isPageOnly) {
    if (!(await judge(file, area.tests, area, mutated))) return
    const left = area.simulation ? survivorsOf(readReport(file), filesOf(mutated)) : []
    if (left.length > 0 && !(await judge(`${file}-stories`, [simulations], area, left))) return
  }
  const report = readReport(file)
  if (report) updatePage(name, area, withStories(report, readReport(`${file}-stories`)))
}

function judgedFile(file: string): string {
  return join(folder, `${file}.judged.json`)
}

function readReport(file: string): Report | undefined {
  const judged = judgedFile(file)
  return existsSync(judged) ? (JSON.parse(readFileSync(judged, 'utf8')) as Report) : undefined
}

function isLeft({ status }: Mutant): boolean {
  return status === 'Survived' || status === 'NoCoverage'
}

/** Positions of mutants that survived the unit tests, in the form of StrykerJS, whose columns count from 0. */
function survivorsOf(report: Report | undefined, files: readonly string[]): string[] {
  const positions = Object.entries(report?.files ?? {}).flatMap(([file, { mutants }]) =>
    files.includes(file) ? mutants.filter(isLeft).map((it) => `${file}:${positionOf(it)}`) : [],
  )
  return [...new Set(positions)]
}

function positionOf({ location: { start, end } }: Mutant): string {
  return `${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`
}

/** Merges results: of survivors of the unit tests, those of the stories for the same source. */
function withStories(report: Report, stories: Report | undefined): Report {
  const nameOf = (it: Mutant) => `${positionOf(it)} ${it.mutatorName} ${it.replacement ?? ''}`
  const files = Object.entries(report.files).map(([file, { source, mutants }]) => {
    const ofStories = stories?.files[file]
    const found = new Map(ofStories?.source === source ? ofStories.mutants.map((it) => [nameOf(it), it]) : [])
    const merged = mutants.map((it) => {
      const later = isLeft(it) ? found.get(nameOf(it)) : undefined
      return later && (later.status === 'Killed' || later.status === 'Timeout') ? later : it
    })
    return [file, { source, mutants: merged }] as const
  })
  return { files: Object.fromEntries(files) }
}

/** @returns whether StrykerJS ran to its end */
async function judge(
  file: string,
  tests: readonly string[],
  area: Area,
  mutated: readonly string[],
): Promise<boolean> {
  const config = join(folder, `${file}.config.json`)
  writeFileSync(config, JSON.stringify(configOf(mutated, judgedFile(file), file)))
  const env = {
    MUTATION_TESTS: tests.join('|'),
    MUTATION_DATABASE: area.database ? '1' : '',
    SEEDS: String(STORIES),
  }
  const { code } = await run(['stryker', 'run', config], { loud: true, env })
  if (code !== 0) process.exitCode = code
  return code === 0
}

function configOf(mutated: readonly string[], judged: string, copies: string): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: mutated,
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: judged,
    reporters: ['progress'],
    tempDirName: join(folder, 'copies', copies),
    ignorePatterns: ['/dist', '/docs', '/e2e', '/bench', '/data', '/test-results'],
    // StrykerJS would read tsconfig.json by a compiler interface that this version of TypeScript does not have.
    tsconfigFile: 'none.json',
    // Mutants of code that runs at import need a new process each: `-- static` runs them too.
    ignoreStatic: !withStatic,
    // Long, so that only endless loops time out, not slow tests on a busy machine.
    timeoutMS: 20_000,
  }
}

/** Replaces the row and the survivors of an area on the page. */
function updatePage(name: string, area: Area, report: Report): void {
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
  const { rows, sections, reasons } = readPage()
  const when = isPageOnly
    ? (rows.get(name)?.split(' | ').slice(-2).join(' | ').replace(/ \|$/, '') ?? '')
    : `${date} | ${commit}`
  const cells = [name, files, ...figures, score, when]
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
  writeFileSync(page, `${head}${table}\n\n${reasons}\n${lists}`)
}

/** Reads the page: rows and lists by area, and the part between them that is written by hand. */
function readPage(): { rows: Map<string, string>; sections: Map<string, string>; reasons: string } {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const parts = text.split(/^(?=## )/m)
  const rows = new Map<string, string>()
  const sections = new Map<string, string>()
  for (const name of Object.keys(areas)) {
    const row = text.split('\n').find((it) => it.startsWith(`| ${name} |`))
    const section = parts.find((it) => it.startsWith(`## ${name}\n`))
    if (row !== undefined) rows.set(name, row)
    if (section !== undefined) sections.set(name, `${section.trimEnd()}\n`)
  }
  const reasons = parts.find((it) => it.startsWith(noReasons)) ?? noReasons
  return { rows, sections, reasons: `${reasons.trimEnd()}\n` }
}
