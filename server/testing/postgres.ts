// Temporary PostgreSQL databases for tests: at TEST_DATABASE_URL, or in a temporary cluster.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { CLUSTER, cluster } from './cluster.ts'
import { postgresPrograms } from './postgres/programs.ts'

export interface Postgres {
  readonly url: string
  stop(): Promise<void>
}

const TEMPLATE = 'made'

/** Whether tests on PostgreSQL can run on this machine; otherwise they are skipped. */
export function postgresAvailable(): boolean {
  return Boolean(process.env['TEST_DATABASE_URL']) || postgresPrograms() !== undefined
}

/** Whether this run has databases of PostgreSQL: at TEST_DATABASE_URL, or in a cluster of its own. */
export function postgresOfRun(): boolean {
  return (
    postgresAvailable() && (Boolean(process.env['TEST_DATABASE_URL']) || process.env[CLUSTER] !== undefined)
  )
}

/**
 * Creates a database for one test.
 * @param prepare fills the template from which all databases of a run's cluster are copied
 */
export async function startPostgres(prepare: (url: string) => Promise<void>): Promise<Postgres> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return freshDatabase(given)
  const bin = postgresPrograms()
  if (bin === undefined) throw new Error('PostgreSQL is not installed')
  const folder = process.env[CLUSTER]
  if (folder === undefined) throw new Error('the test run has no folder for a PostgreSQL cluster')
  const url = await cluster(bin, folder, async (admin) => {
    await runSql(admin, `create database ${TEMPLATE}`)
    await prepare(databaseUrl(admin, TEMPLATE))
  })
  return freshDatabase(url, TEMPLATE)
}

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin)
  url.pathname = `/${name}`
  return url.href
}

async function freshDatabase(admin: string, template = 'template1'): Promise<Postgres> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // The files of the template are copied as they are: a copy through the log takes twice the processor time.
  await runSql(admin, `create database ${name} template ${template} strategy file_copy`)
  return { url: databaseUrl(admin, name), stop: () => runSql(admin, `drop database ${name} with (force)`) }
}
