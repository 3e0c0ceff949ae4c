// Builds dist/ when it is older than its sources.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandResult, run } from './run.ts'

const sources = ['src', 'sw', 'device', 'contract', 'public', 'index.html', 'manifest.webmanifest']
const settings = ['vite.config.ts', 'package-lock.json', 'tsconfig.json']
const products = ['dist/index.html', 'dist/sw.js']

function newest(path: string): number {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path, { withFileTypes: true }).filter(
    (it) => !/\.(test|sim)\.tsx?$/.test(it.name),
  )
  // The time of a folder changes when files in it are removed.
  return Math.max(stat.mtimeMs, ...inside.map((it) => newest(join(path, it.name))))
}

/** True when dist/ exists and no source is newer. */
function isBuilt(): boolean {
  if (!products.every((it) => existsSync(it))) return false
  const built = Math.min(...products.map((it) => statSync(it).mtimeMs))
  return [...sources, ...settings].every((it) => newest(it) <= built)
}

/** Builds the app unless dist/ is current. */
export async function buildIfStale(loud = false): Promise<CommandResult> {
  if (isBuilt()) return { code: 0, output: 'dist is current\n', seconds: 0 }
  return run(['vite', 'build'], { loud })
}
