// Every check that needs no running program: types, lint, format, unused code, size, folders, migrations.
import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { buildIfStale } from './build.ts'
import { type CommandResult, run } from './run.ts'
import { overfullFolders } from './lint/folder-sizes.ts'
import { refusedStatements } from './lint/migrations.ts'

interface Check {
  readonly name: string
  readonly execute: () => Promise<CommandResult>
}

const projects = [
  'contract',
  'device',
  'sw',
  'src',
  'server',
  'tools',
  'tools/tsconfig.unit.json',
  'tools/tsconfig.worker.json',
  'e2e',
  'bench',
] as const

async function folders(): Promise<CommandResult> {
  const files = await run(['git', 'ls-files'])
  const tooFull = overfullFolders(files.output.split('\n'))
  return { ...files, code: files.code || (tooFull.length === 0 ? 0 : 1), output: tooFull.join('\n') }
}

/** The rule of docs/how-to/change-the-schema.md. */
async function migrations(): Promise<CommandResult> {
  const folder = 'server/store/migrations'
  const names = (await readdir(folder)).filter((it) => /^\d{4}_.*\.sql$/.test(it)).toSorted()
  const read = async (name: string) => ({ name, sql: await readFile(path.join(folder, name), 'utf8') })
  const refused = refusedStatements(await Promise.all(names.map(read)))
  return { code: refused.length === 0 ? 0 : 1, output: refused.join('\n'), seconds: 0 }
}

async function size(): Promise<CommandResult> {
  const built = await buildIfStale()
  return built.code === 0 ? run(['size-limit']) : built
}

const checks: readonly Check[] = [
  { name: 'lint', execute: () => run(['oxlint', '--type-aware', '--deny-warnings']) },
  ...projects.map((it) => ({ name: `types ${it}`, execute: () => run(['tsc', '-p', it]) })),
  { name: 'format', execute: () => run(['oxfmt', '--check']) },
  { name: 'unused', execute: () => run(['knip', '--no-progress', '--treat-config-hints-as-errors']) },
  { name: 'size', execute: size },
  { name: 'folders', execute: folders },
  { name: 'migrations', execute: migrations },
]

/** Prints one line per check as it ends, and the output of those that fail. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  const waiting = [...checks]
  const failures: string[] = []
  const worker = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { code, output, seconds } = await check.execute()
      console.log(`${code === 0 ? '✓' : '✗'} ${check.name} ${seconds.toFixed(1)} s`)
      if (code !== 0) failures.push(`\n✗ ${check.name}\n${output.trimEnd()}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  for (const it of failures) console.log(it)
  return { passed: checks.length - failures.length, failed: failures.length }
}
