// Begins a run: a command and everything it starts, which end together.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { MEMORY_FOLDER, memoryFolder } from '../testing/temporary-folder.ts'
import { endEarlierRuns, remove } from './end.ts'
import { folderOfRun, isOver, nameOf, npmAbove, WATCHED, type Watched } from './members.ts'
import { readProcess, readProcesses, RUN } from './processes.ts'

/** Environment variable with the folder of files that later runs use again. */
const CACHES = 'TODOKE_CACHES'

interface Options {
  /** Put the temporary files in memory, where the machine has room. */
  readonly inMemory?: boolean
  /** What answers a signal by itself, in order: the runner of tests, or the server. Other commands end at once. */
  readonly answeredBy?: 'runner' | 'server'
}

/** Ends this process at a signal. Packages that it imports listen too, so that it would not end by itself. */
function endAtSignals(): void {
  for (const it of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(it, () => process.exit(128 + constants.signals[it]))
}

/** Starts the watchdog in a session of its own, which no signal to the command's group reaches. */
function startWatchdog(watched: Watched): void {
  const { [RUN]: _, ...env } = process.env
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'watchdog.ts')], {
    detached: true,
    // The system closes the pipe when this process ends.
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...env, [WATCHED]: JSON.stringify(watched) },
  })
  child.unref()
  ;(child.stdin as Socket).on('error', () => undefined).unref()
}

/**
 * Begins a run, unless this process is part of one: everything that this process starts ends with it, also when it is
 * killed, and its temporary files are removed. Ends what earlier runs have left.
 */
export async function beginRun({ inMemory = false, answeredBy }: Options = {}): Promise<void> {
  if (process.platform !== 'linux') return
  const all = readProcesses()
  const current = process.env[RUN]
  if (current !== undefined && !isOver(current, all)) return
  const parents = new Set([tmpdir(), MEMORY_FOLDER])
  const self = readProcess(process.pid)
  if (!self) return
  const id = nameOf(self)
  const memory = inMemory ? memoryFolder() : undefined
  const folder = mkdtempSync(join(memory ?? tmpdir(), folderOfRun(id)))
  // PostgreSQL and nginx run as users of their own.
  chmodSync(folder, 0o755)
  if (memory === undefined) process.env[CACHES] = tmpdir()
  process.env['TMPDIR'] = folder
  process.env[RUN] = id
  const above = npmAbove(process.pid, all).map(nameOf)
  startWatchdog({ id, folder, pid: process.pid, above, isServer: answeredBy === 'server' })
  process.on('exit', () => remove(folder))
  if (answeredBy === undefined) endAtSignals()
  // After the rest, which a set-up of another project of vitest may ask for meanwhile.
  const ended = await endEarlierRuns([...parents])
  if (ended > 0) console.error(`ended what ${ended} interrupted ${ended === 1 ? 'run' : 'runs'} had left`)
}
