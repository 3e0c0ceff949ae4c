// One PostgreSQL cluster for a test run, started by the first file that needs it. Creating a cluster takes longer
// than most tests.
import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { postgresUser } from './postgres/programs.ts'
import { endCeph } from './s3/end-ceph.ts'
import { until } from './until.ts'

/** Environment variable with the folder of the cluster, for every process of the run. */
export const CLUSTER = 'TODOKE_TEST_CLUSTER'

/** Shared memory as a file of the data folder: a server that is killed leaves its segments in /dev/shm otherwise. */
export const MEMORY_IN_FOLDER = 'dynamic_shared_memory_type=mmap'

const START_MS = 60_000

/** Creates the folder of the cluster; runs before all tests. */
export function setup(): void {
  process.env[CLUSTER] = mkdtempSync(path.join(tmpdir(), 'todoke-pg-'))
}

/** Stops the cluster; runs after all tests. */
export async function teardown(): Promise<void> {
  const folder = process.env[CLUSTER]
  if (folder === undefined) return
  endCeph(folder)
  const lock = path.join(folder, 'data', 'postmaster.pid')
  if (existsSync(lock)) process.kill(Number(readFileSync(lock, 'utf8').split('\n')[0]), 'SIGINT')
  await until(() => !existsSync(lock), 'the end of the PostgreSQL cluster', START_MS).catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
}

async function start(bin: string, folder: string, url: string): Promise<void> {
  const user = postgresUser()
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const options = { ...user, cwd: folder, stdio: 'ignore' as const }
  const create = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(path.join(bin, 'initdb'), create, options)
  const settings = [
    'listen_addresses=',
    'fsync=off',
    'synchronous_commit=off',
    'max_connections=300',
    MEMORY_IN_FOLDER,
  ]
  const run = ['-D', data, '-k', folder, ...settings.flatMap((it) => ['-c', it])]
  // The cluster continues after the test file that started it.
  spawn(path.join(bin, 'postgres'), run, options).unref()
  await waitUntilConnected(url)
}

export async function waitUntilConnected(url: string): Promise<void> {
  const connects = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.end()
    return true
  }
  await until(connects, 'a connection to PostgreSQL', START_MS)
}

/**
 * The run's cluster, started by the first caller.
 * @param prepare is called once, before the first use
 * @returns the address of its first database
 */
export async function cluster(
  bin: string,
  folder: string,
  prepare: (url: string) => Promise<void>,
): Promise<string> {
  const url = `postgresql://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  const ready = path.join(folder, 'ready')
  if (existsSync(ready)) return url
  if (createMark(path.join(folder, 'making'))) {
    await start(bin, folder, url)
    await prepare(url)
    writeFileSync(ready, '')
    return url
  }
  await until(() => existsSync(ready), 'the PostgreSQL cluster of this run', START_MS)
  return url
}

/** Creates a folder. @returns false when another process of the run has created it */
export function createMark(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch {
    return false
  }
}
