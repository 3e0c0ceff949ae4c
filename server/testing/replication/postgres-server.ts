// A PostgreSQL server of one test, which it may pause, kill and start again.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { defined } from '#contract/testing/defined.ts'
import { MEMORY_IN_FOLDER, waitUntilConnected } from '#server/testing/cluster.ts'
import { freePort } from '#server/testing/free-port.ts'
import { postgresPrograms, postgresUser } from '#server/testing/postgres/programs.ts'

const run = promisify(execFile)

export interface PostgresServer {
  readonly port: number
  /** Address of its database `postgres`. */
  readonly url: string
  /** Runs one statement. */
  sql(text: string): Promise<Record<string, unknown>[]>
  /** Ends the process at once, without any order. */
  kill(): Promise<void>
  /** Starts it again, on the same port and files. */
  start(): Promise<void>
  /** Stops all its processes without ending them: connections stay open, and nothing replies. */
  freeze(): void
  thaw(): void
  /** Ends it, and removes its files. */
  remove(): Promise<void>
}

/** Runs a program of PostgreSQL, not as root. */
export async function runProgram(name: string, options: readonly string[], cwd: string): Promise<void> {
  await run(path.join(defined(postgresPrograms()), name), [...options], { ...postgresUser(), cwd })
}

/** @param fill makes the files of the data folder */
export async function openPostgresServer(
  fill: (data: string, folder: string) => Promise<void>,
): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-pg-'))
  const user = postgresUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  await fill(data, folder)
  const port = await freePort()
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['-D', data, '-p', String(port), '-k', folder, '-c', MEMORY_IN_FOLDER]
    child = spawn(path.join(defined(postgresPrograms()), 'postgres'), options, {
      ...user,
      cwd: folder,
      stdio: 'ignore',
    })
    await waitUntilConnected(url)
  }
  const signal = (name: NodeJS.Signals) => isRunning(child) && signalAll(child.pid, name)
  async function kill(): Promise<void> {
    if (!child || !isRunning(child)) return
    const exited = once(child, 'exit')
    signal('SIGKILL')
    await exited
    rmSync(path.join(data, 'postmaster.pid'), { force: true })
  }

  await start()
  return {
    port,
    url,
    async sql(text) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      const { rows } = await client.query<Record<string, unknown>>(text).finally(() => void client.end())
      return rows
    },
    kill,
    start,
    freeze: () => void signal('SIGSTOP'),
    thaw: () => void signal('SIGCONT'),
    async remove() {
      signal('SIGCONT')
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isRunning = (child: ChildProcess | undefined): child is ChildProcess & { readonly pid: number } =>
  child?.pid !== undefined && child.exitCode === null && child.signalCode === null

/** Signals a server and its processes, each of which leads a group of its own. */
function signalAll(pid: number, name: NodeJS.Signals): void {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const it of [pid, ...children.trim().split(' ').filter(Boolean).map(Number)]) {
    try {
      process.kill(it, name)
    } catch {
      // A process of a connection has ended since.
    }
  }
}
