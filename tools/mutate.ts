// `npm run mutate [-- area or file …]`: mutation testing by StrykerJS, area by area.
// `npm run mutate -- area … sample 40 [seed …]` judges a sample of each area.
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from './run.ts'
import { type Area, areaOf, areas, filesOf, simulations, STORIES } from './mutation/areas.ts'
import { discover } from './mutation/discover.ts'
import { updatePage } from './mutation/page.ts'
import { type Report, survivorsOf, withStories } from './mutation/report.ts'
import { choosePlaces, judgedPlaces, type Place } from './mutation/sample.ts'
import { type Sample, updateSample } from './mutation/sample-page.ts'
import { SAMPLED } from './mutation/sample-plugin.ts'
import { beginRun } from './runs/begin.ts'

/** Folder of the results of each area, which are not committed. */
const folder = 'data/mutation'

const withStatic = process.argv.includes('static')
/** Whether to write only the page, from earlier results, after a change of reasons. */
const isPageOnly = process.argv.includes('page')
const { words, values } = takeOptions(process.argv.slice(2), ['sample', 'seed'])
/** Number of mutants of each area to judge; 0: all. */
const sampleSize = Number(values['sample'] ?? 0)
const wanted = words.filter((it) => it !== 'static' && it !== 'page')
const unknown = wanted.filter((it) => !(it in areas) && !areaOf(it))
if (unknown.length > 0)
  throw new Error(`no such area or file: ${unknown.join(', ')}; areas: ${Object.keys(areas).join(', ')}`)

await beginRun({ inMemory: true })
const commit = (await run(['git', 'rev-parse', '--short', 'HEAD'])).output.trim()
const seed = values['seed'] ?? commit
const date = new Date().toISOString().slice(0, 10)
mkdirSync(folder, { recursive: true })
for (const [name, area] of Object.entries(areas)) {
  const files = wanted.filter((it) => areaOf(it) === name)
  if (wanted.length === 0 || wanted.includes(name)) {
    if (isPageOnly || sampleSize > 0) await sample(name, area)
    if (sampleSize === 0) await mutate(name, area, area.mutate)
  } else if (sampleSize > 0) continue
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
    const [judged, sampled] = [judgedFile(file), judgedFile(`${file}-sample`)]
    if (!existsSync(judged) && existsSync(sampled)) copyFileSync(sampled, judged)
    if (!(await judge(file, { ...area, mutate: mutated }))) return
    const left = area.simulation ? survivorsOf(readReport(file), filesOf(mutated)) : []
    if (left.length > 0 && !(await judge(`${file}-stories`, { ...area, tests: [simulations], mutate: left })))
      return
  }
  const report = readReport(file)
  if (report) {
    const whole = withStories(report, readReport(`${file}-stories`))
    updatePage(name, area, whole, isPageOnly ? undefined : `${date} | ${commit}`)
  }
}

/**
 * Judges a sample of an area's mutants. Their results are kept: a larger sample of the same seed, or a run of the whole
 * area, goes on from them.
 */
async function sample(name: string, area: Area): Promise<void> {
  const file = `${name.replaceAll('/', '-')}-sample`
  const chosen = isPageOnly ? readSample(file) : await judgeSample(file, area)
  const report = readReport(file)
  if (chosen && report) updateSample(name, chosen, report)
}

/** @returns the sample; undefined when StrykerJS did not run to its end */
async function judgeSample(file: string, area: Area): Promise<Sample | undefined> {
  const discovered = await discover(writeConfig(file, area))
  const places = choosePlaces(discovered, sampleSize, seed)
  const all = Object.values(discovered).reduce((sum, { mutants }) => sum + mutants.length, 0)
  console.log(`${file}: ${places.length} pieces of code of ${all} mutants, seed ${seed}`)
  const sampled = resolve(folder, `${file}.ranges.json`)
  const rangeOf = ({ at }: Place): number[] => at.split(/[:-]/).map(Number)
  const ranges = Map.groupBy([...places, ...judgedPlaces(readReport(file))], (it) => it.file)
  writeFileSync(
    sampled,
    JSON.stringify(Object.fromEntries([...ranges].map(([it, of]) => [it, of.map(rangeOf)]))),
  )
  const patterns = places.map((it) => `${it.file}:${it.at}`)
  if (!(await judge(file, { ...area, mutate: patterns }, { [SAMPLED]: sampled }))) return undefined
  const chosen = { seed, date, commit, all, places }
  writeFileSync(join(folder, `${file}.json`), JSON.stringify(chosen))
  return chosen
}

function readSample(file: string): Sample | undefined {
  const chosen = join(folder, `${file}.json`)
  return existsSync(chosen) ? (JSON.parse(readFileSync(chosen, 'utf8')) as Sample) : undefined
}

/** Takes options with a value (`seed 1`) from the words of a command. */
function takeOptions(all: readonly string[], names: readonly string[]) {
  const found: Record<string, string | undefined> = {}
  const rest: string[] = []
  for (let i = 0; i < all.length; i++) {
    const word = all[i] as string
    if (names.includes(word)) found[word] = all[++i]
    else rest.push(word)
  }
  return { words: rest, values: found }
}

function judgedFile(file: string): string {
  return join(folder, `${file}.judged.json`)
}

function readReport(file: string): Report | undefined {
  const judged = judgedFile(file)
  return existsSync(judged) ? (JSON.parse(readFileSync(judged, 'utf8')) as Report) : undefined
}

/**
 * Judges the mutants of the area.
 * @param env further environment variables
 * @returns whether StrykerJS ran to its end
 */
async function judge(file: string, area: Area, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const config = writeConfig(file, area)
  const ofArea = {
    MUTATION_TESTS: area.tests.join('|'),
    MUTATION_DATABASE: area.database ? '1' : '',
    SEEDS: String(STORIES),
  }
  const { code } = await run(['stryker', 'run', config], { loud: true, env: { ...ofArea, ...env } })
  if (code !== 0) process.exitCode = code
  return code === 0
}

/** @returns the name of the file */
function writeConfig(file: string, { mutate: mutated }: Area): string {
  const config = join(folder, `${file}.config.json`)
  writeFileSync(config, JSON.stringify(configOf(file, mutated)))
  return config
}

function configOf(file: string, mutated: readonly string[]): object {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/sample-plugin.ts'],
    ignorers: ['sample'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: mutated,
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile: judgedFile(file),
    reporters: ['progress'],
    tempDirName: join(folder, 'copies', file),
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
