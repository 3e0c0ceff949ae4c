// Starts the real server as a process, which tests kill and restart.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { cacheFolder } from './cache-folder.ts'

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/**
 * Options of Node for a server that lives for seconds. The database is WebAssembly: compiling it for speed takes half
 * of the processor time of a start, and does not pay within such a life.
 */
export const fastStart = ['--liftoff-only'] as const

/** The environment of processes that share compiled sources, which makes their many starts faster. */
export const compiledEnv = { NODE_COMPILE_CACHE: path.join(cacheFolder(), 'todoke-compiled') }

export interface Running {
  /** The address that it prints: its public one, if the environment has one. */
  readonly origin: string
  readonly process: ChildProcess
  /** Everything that the server has printed. */
  output(): string
  /** Ends the server by a signal. @returns its exit code, or the signal that ended it */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | null>
}

export interface Ended {
  readonly code: number | null
  /** What it printed for the operator. The lines of its log, which depend on the programs of the machine, are not in it. */
  readonly output: string
}

/** The clock of `npm run test:deep -- stories-late`, which all programs of a test share. */
const clock = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => /^(?:LD_PRELOAD$|FAKETIME|NO_FAKE)/.test(name)),
)

/** A line of the log is JSON; a sentence to the operator is not. */
const isOfLog = (line: string): boolean => line.startsWith('{"level":')

function launch(env: Record<string, string>, main = program): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [...fastStart, main], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...clock,
      // Of the run, with which it ends.
      TODOKE_RUN: process.env['TODOKE_RUN'],
      TMPDIR: tmpdir(),
      ...compiledEnv,
      PORT: '0',
      SEED_DEMO: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: '0',
      OVERLOAD_DELAY_MS: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout?.on('data', (chunk) => (text += String(chunk)))
  child.stderr?.on('data', (chunk) => (text += String(chunk)))
  return { child, output: () => text }
}

/**
 * Starts the server and waits until it prints its address.
 * @param main the program, of another version
 */
export async function startServer(env: Record<string, string>, main?: string): Promise<Running> {
  const { child, output } = launch(env, main)
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const found = /(?:アプリ|確認)\s+(https?:\/\/[^/\s]+)/.exec(output())?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`the server ended: ${output()}`)))
  })
  return {
    origin,
    process: child,
    output,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode
      const exited = once(child, 'exit')
      child.kill(signal)
      const [code, by] = await exited
      return (code as number | null) ?? (by as string | null)
    },
  }
}

/** Starts a server that is expected to refuse its settings. */
export async function refusedStart(env: Record<string, string>): Promise<Ended> {
  const { child, output } = launch(env)
  const [code] = await once(child, 'close')
  const lines = output().split(/(?<=\n)/)
  return { code: code as number | null, output: lines.filter((it) => !isOfLog(it)).join('') }
}
