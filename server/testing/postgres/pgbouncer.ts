// PgBouncer in front of a database of the test run (Debian: pgbouncer).
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { defined } from '#contract/testing/defined.ts'
import { freePort } from '#server/testing/free-port.ts'
import { isInstalled, programPath } from '#server/testing/programs.ts'
import { until } from '#server/testing/until.ts'
import { postgresUser } from './programs.ts'

const START_MS = 30_000

export const pgbouncerAvailable = (): boolean => isInstalled('pgbouncer')

export interface PgBouncer {
  /** Address of the database through it. */
  readonly url: string
  /** Its connections to PostgreSQL that clients have now, and clients that wait for one. */
  counts(): Promise<{ readonly used: number; readonly waiting: number }>
  close(): Promise<void>
}

const settingsOf = (
  port: number,
  folder: string,
  mode: 'session' | 'transaction',
  size: number,
) => `[databases]
* = host=${folder} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
admin_users = postgres
`

/**
 * @param url address of a database, by a folder of sockets
 * @param size connections that it may have to PostgreSQL
 */
export async function startPgBouncer(
  url: string,
  mode: 'session' | 'transaction',
  size: number,
): Promise<PgBouncer> {
  const given = new URL(url)
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-pgbouncer-'))
  const port = await freePort()
  const file = path.join(folder, 'pgbouncer.ini')
  writeFileSync(file, settingsOf(port, defined(given.searchParams.get('host')), mode, size))
  // It refuses to run as root.
  const user = postgresUser()
  if (user) for (const it of [folder, file]) chownSync(it, user.uid, user.gid)
  const child = spawn(defined(programPath('pgbouncer')), [file], { ...user, cwd: folder, stdio: 'ignore' })
  await ready(port, child)
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${given.pathname}`,
    async counts() {
      const client = await connected(port)
      try {
        const { rows } = await client.query<Record<string, string>>('show pools')
        const sum = (column: string) => rows.reduce((total, it) => total + Number(it[column]), 0)
        return { used: sum('sv_active'), waiting: sum('cl_waiting') }
      } finally {
        await client.end()
      }
    },
    async close() {
      const exited = once(child, 'exit')
      child.kill('SIGQUIT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function connected(port: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: `postgresql://postgres@127.0.0.1:${port}/pgbouncer`,
    // Its own database knows only this form of statements.
    query_timeout: START_MS,
  })
  await client.connect()
  return client
}

async function ready(port: number, child: ChildProcess): Promise<void> {
  const state = await until(
    async () => {
      if (child.exitCode !== null) return 'over'
      await (await connected(port)).end()
      return 'ready'
    },
    'PgBouncer',
    START_MS,
  )
  if (state === 'over') throw new Error(`PgBouncer ended with ${child.exitCode}`)
}
