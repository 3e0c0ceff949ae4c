// `npm run report:dependencies`: dependencies older than the newest patch of their minor version.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from './run.ts'

const root = join(import.meta.dirname, '..')
const REPORT = join(root, 'docs/dependency-age.md')
const DAY = 24 * 3600 * 1000
/** Days by which a dependency may be older than the newest patch of its minor version. */
export const ALLOWED_DAYS = 90
/** Parallel requests to the registry. */
const AT_ONCE = 4

export interface Lag {
  readonly name: string
  readonly version: string
  readonly newest: string
  /** Days between the releases of the installed version and the newest patch. */
  readonly days: number
}

/** The parts of a version; undefined for pre-releases and invalid versions. */
function partsOf(version: string): [minor: string, patch: number] | undefined {
  const [, minor, patch] = /^(\d{1,9}\.\d{1,9})\.(\d{1,9})$/.exec(version) ?? []
  return minor === undefined ? undefined : [minor, Number(patch)]
}

/**
 * The lag of a version behind the newest patch of its minor version.
 * @param times the release time of each version, from the registry
 * @returns undefined when the version is the newest, or unknown
 */
export function lagOf(name: string, version: string, times: Record<string, string>): Lag | undefined {
  const installed = partsOf(version)
  const at = times[version]
  if (!installed || at === undefined) return undefined
  let newest = { version, patch: installed[1] }
  for (const other of Object.keys(times)) {
    const parts = partsOf(other)
    if (parts?.[0] === installed[0] && parts[1] > newest.patch) newest = { version: other, patch: parts[1] }
  }
  if (newest.version === version) return undefined
  const days = (Date.parse(times[newest.version] ?? at) - Date.parse(at)) / DAY
  return { name, version, newest: newest.version, days: Math.round(days) }
}

interface Lock {
  packages: Record<
    string,
    { version: string; dependencies?: object; devDependencies?: object; name?: string }
  >
}

/** Names and installed versions of the packages in package.json, or in the whole lock. */
export function dependenciesOf({ packages }: Lock, all: boolean): [name: string, version: string][] {
  const { dependencies = {}, devDependencies = {} } = packages[''] ?? {}
  const direct = [...Object.keys(dependencies), ...Object.keys(devDependencies)]
  const found = Object.entries(packages).flatMap(([path, it]): [string, string][] => {
    const at = path.lastIndexOf('node_modules/')
    if (at === -1 || (!all && !direct.some((name) => path === `node_modules/${name}`))) return []
    return [[it.name ?? path.slice(at + 'node_modules/'.length), it.version]]
  })
  return [...new Map(found.map((it) => [it.join('@'), it])).values()]
}

async function timesOf(name: string): Promise<Record<string, string> | undefined> {
  const { code, output } = await run(['npm', 'view', name, 'time', '--json', '--loglevel', 'error'])
  const start = output.indexOf('{')
  if (code !== 0 || start === -1) return undefined
  try {
    return JSON.parse(output.slice(start, output.lastIndexOf('}') + 1)) as Record<string, string>
  } catch {
    return undefined
  }
}

/** The report as Markdown. @param unknown names without a reply of the registry */
export function reportOf(
  checked: number,
  lags: readonly Lag[],
  unknown: readonly string[],
  at: Date,
): string {
  const late = lags.filter((it) => it.days > ALLOWED_DAYS).toSorted((a, b) => b.days - a.days)
  const rows = late.map((it) => `| ${it.name} | ${it.version} | ${it.newest} | ${it.days} |`)
  const table = [
    '',
    '| package | installed | newest patch of its minor | days between |',
    '|---|---|---|---|',
    ...rows,
  ]
  return [
    '# Age of dependencies',
    '',
    `Written by \`npm run report:dependencies\` on ${at.toISOString().slice(0, 10)}. A report, not a gate: it names packages`,
    `that were released more than ${ALLOWED_DAYS} days before the newest patch of the same minor version.`,
    '',
    `${checked} packages checked, ${late.length} late, ${unknown.length} without a reply${unknown.length > 0 ? `: ${unknown.join(', ')}` : ''}.`,
    ...(late.length > 0 ? table : []),
    '',
  ].join('\n')
}

async function write(all: boolean): Promise<void> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  const dependencies = dependenciesOf(lock, all)
  const waiting = [...dependencies]
  const lags: Lag[] = []
  const unknown: string[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const times = await timesOf(next[0])
      const lag = times && lagOf(...next, times)
      if (!times) unknown.push(next[0])
      if (lag) lags.push(lag)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  if (unknown.length === dependencies.length) {
    console.log(
      'The package registry cannot be reached, so the age of dependencies is not known. Nothing was written.',
    )
    return
  }
  const report = reportOf(dependencies.length, lags, unknown.toSorted(), new Date())
  writeFileSync(REPORT, report)
  console.log(report)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await write(process.argv.includes('all'))
