// A test server (`World`): the whole app with its own database, data folder and clock.
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Database, openPostgres } from '#server/adapters/database/database.ts'
import { openMemory } from '#server/adapters/database/embedded/embedded.ts'
import type { ReplicaSettings } from '#server/adapters/database/replicas/replicas.ts'
import { createPasswords } from '#server/adapters/passwords.ts'
import { buildApp } from '#server/app.ts'
import { assemble, type Deps, type Parts } from '#server/deps.ts'
import type { Settings } from '#server/settings.ts'
import { noPaymentLimits, type PaymentSettings } from '#server/env/payments.ts'
import type { HelpSettings } from '#server/env/help.ts'
import { operatorOf } from '#server/env/operator.ts'
import { trustNone } from '#server/http/client-address.ts'
import { noLimits } from '#server/http/limits.ts'
import { usualTimes } from '#server/http/time-limits.ts'
import { migrationsFolder } from '#server/store/database.ts'
import { openJobs } from '#server/store/jobs.ts'
import { startWorker } from '#server/worker.ts'
import { withOneConnection } from './one-connection.ts'
import { newBuckets } from './s3/stores.ts'
import { templateDump } from './template.ts'
import { type Postgres, postgresAvailable, postgresOfRun, startPostgres } from './postgres.ts'

export type DatabaseKind = 'pglite' | 'postgres'

interface TestedDatabase {
  readonly kind: DatabaseKind
  /** Whether its program is installed. */
  readonly available: boolean
}

/** Databases for tests of SQL, which every run has on both. */
export const bothDatabases: readonly TestedDatabase[] = [
  { kind: 'pglite', available: true },
  { kind: 'postgres', available: postgresAvailable() },
]

/**
 * Databases for other tests: PostgreSQL if it is installed, else PGlite, which the browser stories use too.
 * `npm run test:deep -- units` runs them on both (`DATABASES=both`).
 */
export const databases: readonly TestedDatabase[] =
  process.env['DATABASES'] === 'both'
    ? bothDatabases
    : bothDatabases.filter(({ available }) => available).slice(-1)

/**
 * Default database: PostgreSQL where the run has a cluster, since its databases open several times faster than PGlite,
 * which the stories and `DATABASES=both` use.
 */
const usualDatabase: DatabaseKind =
  postgresOfRun() && process.env['DATABASES'] !== 'both' ? 'postgres' : 'pglite'

export interface WorldOptions {
  readonly database?: DatabaseKind
  /** A PostgreSQL database that the test has started, in place of one of its own. */
  readonly at?: { readonly url: string; readonly replicas?: ReplicaSettings }
  /** Whether to listen on a port; otherwise requests are injected. */
  readonly listen?: boolean
  /** Whether to run jobs. */
  readonly worker?: boolean
  readonly settings?: Partial<Settings>
  readonly parts?: Partial<Parts>
}

export interface World {
  readonly app: FastifyInstance
  readonly deps: Deps
  readonly database: Database
  /** The PostgreSQL database, for a second server on it; undefined with PGlite. */
  readonly postgres: Postgres | undefined
  /** The data folder. */
  readonly dataDir: string
  readonly origin: string
  readonly clock: { now: number }
  /** Whether it runs jobs. */
  readonly hasWorker: boolean
  close(): Promise<void>
}

async function openDatabase(
  kind: DatabaseKind,
  at: WorldOptions['at'],
): Promise<{ database: Database; postgres?: Postgres }> {
  if (at) {
    const database = await openPostgres(at.url, migrationsFolder, { replicas: at.replicas })
    return { database, postgres: { url: at.url, stop: async () => undefined } }
  }
  if (kind === 'pglite') return { database: await openMemory(migrationsFolder, await templateDump()) }
  const postgres = await startPostgres(async (url) => {
    const made = await openPostgres(url, migrationsFolder)
    await (await openJobs(made, () => undefined)).stop()
    await made.close()
  })
  return { database: await openPostgres(postgres.url, migrationsFolder), postgres }
}

/** Whether tests of payments run with the hosted sandbox: the project `unit-hosted` of vitest runs some files again so. */
export const onHosted = process.env['PAYMENTS'] === 'hosted-sandbox'

/** A sandbox without limits. */
export const usualPayments: PaymentSettings = {
  provider: onHosted ? 'hosted-sandbox' : 'sandbox',
  isSelling: true,
  earlierProviders: [],
  url: '',
  storeId: 'sandbox',
  noticePath: '',
  isNoticeAddress: () => true,
  sendsCod: false,
  planJob: 'CAPTURE',
  cardJob: 'CHECK',
  statementName: 'TODOKE',
  feeRate: 1000,
  limits: noPaymentLimits,
  secondPersonYen: 0,
  isReal: false,
  sandboxControl: true,
}

/** No limits, and no holds of links; media are compared as usual. */
export const noHelp: HelpSettings = {
  newAccountMs: 7 * 24 * 3600_000,
  ofNew: { posts: { hour: 0, day: 0 }, comments: { hour: 0, day: 0 }, follows: { hour: 0, day: 0 } },
  follows: { hour: 0, day: 0 },
  equalComments: 0,
  holdsLinks: false,
  removedMediaBits: 6,
}

const usual: Settings = {
  dist: path.join(tmpdir(), 'todoke-no-such-dist'),
  earlierAssets: '',
  corsOrigins: [],
  origins: [],
  trustProxy: trustNone,
  https: false,
  publicUrl: 'http://localhost:8787',
  limits: noLimits,
  help: noHelp,
  uploadsPerPerson: { count: 1e9, bytes: 1e15, stored: 1e15 },
  noticeBatch: 500,
  accelPrefix: '',
  minFreeDisk: 0,
  payments: usualPayments,
  payouts: {
    minimum: 1000,
    fee: 250,
    needsTwoAdmins: true,
    requester: {
      code: '0000000001',
      name: 'トドケ',
      bankCode: '0001',
      branchCode: '001',
      accountType: '1',
      accountNumber: '1234567',
    },
  },
  operator: operatorOf({ OPERATOR_EFFECTIVE_DATE: '2026-11-21', MESSAGE_RETENTION_DAYS: 0 }),
  timeLimits: usualTimes,
  apiDocs: true,
  metricsToken: '',
  overloadDelay: 0,
  logLevel: 'silent',
  prettyLogs: false,
}

/** Whether worlds have an object store: the project `unit-s3` of vitest runs some files again with one. */
export const onS3 = process.env['OBJECTS'] === 's3'

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const opened = await openDatabase(options.database ?? usualDatabase, options.at)
  const database = withOneConnection(opened.database)
  const { postgres } = opened
  const given = options.parts?.dataDir
  const dataDir = given ?? (await mkdtemp(path.join(tmpdir(), 'todoke-world-')))
  const clock = { now: Date.now() }
  const deps = await assemble({
    settings: { ...usual, ...options.settings },
    database,
    dataDir,
    clock: () => clock.now,
    passwords: createPasswords({ memoryCost: 64, timeCost: 1 }),
    ...(onS3 && { s3: await newBuckets() }),
    ...options.parts,
  })
  const app = await buildApp(deps)
  if (options.worker) await startWorker(deps, (error) => console.error(error))
  await app.ready()
  if (options.listen) await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address() as AddressInfo | null
  return {
    app,
    deps,
    database,
    postgres,
    dataDir,
    origin: address ? `http://127.0.0.1:${address.port}` : '',
    clock,
    hasWorker: options.worker ?? false,
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await deps.close()
      await postgres?.stop()
      if (given === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A path in the data folder. */
export const storedAt = ({ dataDir }: Pick<World, 'dataDir'>, ...names: string[]): string =>
  path.join(dataDir, ...names)
