// `npm run mutate [-- area or file …]`: mutation testing by StrykerJS, area by area.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.ts'
import { type Area, areaOf, areas, filesOf, simulations, STORIES } from './mutation/areas.ts'
import { updatePage } from './mutation/page.ts'
import { type Report, survivorsOf, withStories } from './mutation/report.ts'
import { beginRun } from './runs/begin.ts'

/** Folder of the results of each area, which are not committed. */
const folder = 'data/mutation'

const withStatic = process.argv.includes('static')
/** Whether to write only the page, from earlier results, after a change of reasons. */
const isPageOnly = process.argv.includes('page')
const wanted = process.argv.slice(2).filter((it) => it !== 'static' && it !== 'page')
const unknown = wanted.filter((it) => !(it in areas) && !areaOf(it))
if (unknown.length > 0)
  throw new Error(`no such area or file: ${unknown.join(', ')}; areas: ${Object.keys(areas).join(', ')}`)

await beginRun({ inMemory: true })
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
  if (report) {
    const whole = withStories(report, readReport(`${file}-stories`))
    updatePage(name, area, whole, isPageOnly ? undefined : `${date} | ${commit}`)
  }
}

function judgedFile(file: string): string {
  return join(folder, `${file}.judged.json`)
}

function readReport(file: string): Report | undefined {
  const judged = judgedFile(file)
  return existsSync(judged) ? (JSON.parse(readFileSync(judged, 'utf8')) as Report) : undefined
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
    timeoutFactor: 5,
  }
}
