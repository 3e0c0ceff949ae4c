// PostgreSQL, the server and nginx in front of it, with a clock for each.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { ownCpuOf } from '#bench/rig/memory.ts'
import { openBenchCluster } from '#bench/rig/postgres.ts'
import { openProduct, type Product } from '#bench/rig/product.ts'
import { type BenchNginx, openNginx } from '#bench/rig/servers/nginx.ts'
import { type CostData, fillMeasuredDatabase } from './people.ts'

/** Processor time of the server, of all processes of PostgreSQL, of nginx and of the clients, ms. */
export interface Times {
  readonly server: number
  readonly database: number
  readonly proxy: number
  readonly client: number
}

export const parts = ['server', 'database', 'proxy', 'client'] as const satisfies readonly (keyof Times)[]

/** A value for each part. */
export const timesOf = (of: (part: keyof Times) => number): Times => ({
  server: of('server'),
  database: of('database'),
  proxy: of('proxy'),
  client: of('client'),
})

export const totalOf = (times: Times): number => parts.reduce((sum, part) => sum + times[part], 0)

export interface CostRig {
  readonly folder: string
  readonly product: Product
  readonly nginx: BenchNginx
  readonly sql: pg.Client
  readonly data: CostData
  /** Key and secret of the live connections. */
  readonly app: { readonly key: string; readonly secret: string }
  /** Times so far. */
  times(): Times
  /** Starts another server of the same site, with additional environment variables. */
  openServer(env: Record<string, string>): Promise<Product>
  /** Starts the server of another version of the product on the same data, with nginx of its own. */
  openSite(sourceFolder: string): Promise<CostRig>
  close(): Promise<void>
}

const timesNow = (product: Product, postgres: { cpu(): number }, nginx: BenchNginx): Times => ({
  server: ownCpuOf(product.pid),
  database: postgres.cpu(),
  proxy: nginx.cpu(),
  client: ownCpuOf(process.pid),
})

/** Without an object store and Redis of the environment. */
const onDisk = {
  S3_ENDPOINT: '',
  S3_REGION: '',
  S3_ACCESS_KEY_ID: '',
  S3_SECRET_ACCESS_KEY: '',
  REDIS_URL: '',
}

/** Commits wait for the disk, as in production. */
const settings = ['synchronous_commit=on']

/** @returns undefined where PostgreSQL is not installed */
export async function openCostRig(): Promise<CostRig | undefined> {
  const postgres = await openBenchCluster(settings)
  if (!postgres) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'todoke-costs-'))
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const app = { key: 'bench', secret: randomUUID() }
  const env = {
    ...onDisk,
    DATABASE_URL: postgres.url,
    X_ACCEL_PREFIX: '/stored',
    TRUST_PROXY: '1',
    REVERB_APP_ID: 'bench',
    REVERB_APP_KEY: app.key,
    REVERB_APP_SECRET: app.secret,
  }
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), postgres.close]
  const close = async () => {
    for (const it of closing.toReversed()) await it()
    closing.length = 0
  }
  try {
    await (await openProduct(dataDir, env)).close()
    const sql = new pg.Client({ connectionString: postgres.url })
    await sql.connect()
    closing.push(() => sql.end())
    const data = await fillMeasuredDatabase((text, values) => sql.query(text, values), dataDir)
    const openServer = (more: Record<string, string>) => openProduct(dataDir, { ...env, ...more })
    const openSite = async (sourceFolder?: string): Promise<CostRig> => {
      const product = await openProduct(dataDir, env, sourceFolder)
      closing.push(product.close)
      const nginx = await openNginx(mkdtempSync(join(folder, 'nginx-')), dataDir, product.url)
      closing.push(nginx.close)
      const times = () => timesNow(product, postgres, nginx)
      return { folder, product, nginx, sql, data, app, times, openServer, openSite, close }
    }
    return await openSite()
  } catch (error) {
    await close()
    throw error
  }
}
