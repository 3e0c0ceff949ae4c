// A throw-away PostgreSQL for tests: the one TEST_DATABASE_URL names, or a cluster of our own where binaries are found.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'

export interface Postgres {
  readonly url: string
  stop(): Promise<void>
}

const DEBIAN = '/usr/lib/postgresql'

function binaries(): string | undefined {
  const given = process.env['PG_BIN']
  const installed = existsSync(DEBIAN) ? readdirSync(DEBIAN).toSorted().toReversed() : []
  const folders = [
    ...(given ? [given] : []),
    ...installed.map((version) => path.join(DEBIAN, version, 'bin')),
  ]
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')))
}

/** Whether tests on PostgreSQL can run here; where they cannot, they are reported as skipped. */
export function postgresAvailable(): boolean {
  return Boolean(process.env['TEST_DATABASE_URL']) || binaries() !== undefined
}

/** A database nobody else uses. */
export async function startPostgres(): Promise<Postgres> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return freshDatabase(given)
  const bin = binaries()
  if (bin === undefined) throw new Error('no PostgreSQL here')
  return ownCluster(bin)
}

async function freshDatabase(given: string): Promise<Postgres> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const asAdmin = async (sql: string) => {
    const client = new pg.Client({ connectionString: given })
    await client.connect()
    await client.query(sql)
    await client.end()
  }
  await asAdmin(`create database ${name}`)
  const url = new URL(given)
  url.pathname = `/${name}`
  return { url: url.href, stop: () => asAdmin(`drop database ${name} with (force)`) }
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return { uid: 65_534, gid: 65_534 }
  }
}

async function ownCluster(bin: string): Promise<Postgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'todoke-pg-'))
  const who = unprivileged()
  if (who) chownSync(folder, who.uid, who.gid)
  const data = path.join(folder, 'data')
  const options = { ...who, cwd: folder, stdio: 'ignore' as const }
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(path.join(bin, 'initdb'), create, options)
  const settings = ['listen_addresses=', 'fsync=off', 'synchronous_commit=off', 'max_connections=60']
  const run = ['-D', data, '-k', folder, ...settings.flatMap((it) => ['-c', it])]
  const server = spawn(path.join(bin, 'postgres'), run, options)
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  await answering(url)
  return { url, stop: () => stopCluster(server, folder) }
}

async function answering(url: string): Promise<void> {
  for (const giveUpAt = Date.now() + 20_000; ;) {
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (Date.now() > giveUpAt) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

function stopCluster(server: ChildProcess, folder: string): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => {
      rmSync(folder, { recursive: true, force: true })
      resolve()
    })
    server.kill('SIGINT')
  })
}
