// PostgreSQL for measurements: the empty database at BENCH_DATABASE_URL, or a temporary cluster.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuOf } from './memory.ts'

export interface BenchPostgres {
  readonly url: string
  close(): Promise<void>
}

/** A temporary cluster. */
export interface BenchCluster extends BenchPostgres {
  /** Processor time of all its processes so far, ended ones included, ms. */
  cpu(): number
}

const DEBIAN = '/usr/lib/postgresql'

function binaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : []
  const folders = [process.env['PG_BIN'] ?? '', ...versions.map((it) => join(DEBIAN, it, 'bin'))]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** The user to run PostgreSQL as, since it refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function waitUntilConnected(url: string): Promise<void> {
  for (const giveUpAt = Date.now() + 30_000; ;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}

/** Opens the database; undefined if PostgreSQL is not installed. */
export async function openBenchPostgres(): Promise<BenchPostgres | undefined> {
  const given = process.env['BENCH_DATABASE_URL']
  return given ? { url: given, close: async () => undefined } : openBenchCluster()
}

const initdb = (data: string) => [
  'initdb',
  '-D',
  data,
  '-U',
  'postgres',
  '-A',
  'trust',
  '-E',
  'UTF8',
  '--locale=C',
]

/**
 * Opens a temporary cluster; undefined if PostgreSQL is not installed.
 * @param more settings of its server
 * @param fill program and options that make its data folder
 */
export async function openBenchCluster(
  more: readonly string[] = [],
  fill: (data: string) => readonly string[] = initdb,
): Promise<BenchCluster | undefined> {
  const bin = binaries()
  if (bin === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'todoke-bench-pg-'))
  const user = unprivileged()
  if (user) chownSync(folder, user.uid, user.gid)
  const options = { ...user, cwd: folder, stdio: 'ignore' as const }
  const data = join(folder, 'data')
  const [program = '', ...arguments_] = fill(data)
  execFileSync(join(bin, program), arguments_, options)
  const settings = [
    'listen_addresses=',
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    'synchronous_commit=off',
    ...more,
  ]
  const server: ChildProcess = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-k', folder, ...settings.flatMap((it) => ['-c', it])],
    options,
  )
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  await waitUntilConnected(url)
  return {
    url,
    cpu: () => cpuOf(server.pid ?? 0),
    async close() {
      const exited = once(server, 'exit')
      server.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
