// Every check that needs no running program: types, lint, format, unused code, size, folders.
import { availableParallelism } from 'node:os'
import { buildIfStale } from './build.ts'
import { type CommandResult, run } from './run.ts'
import { overfullFolders } from './folder-sizes.ts'

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
