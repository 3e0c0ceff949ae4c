// The product on several servers: nginx, two web servers and a worker. They share PostgreSQL with a replica,
// Redis, Ceph, a mail relay and a push service.
import { createECDH, createHash, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { freePort, temporaryFolder, until } from '#e2e/rig/network/ports.ts'
import { CLUSTER } from '#server/testing/cluster.ts'
import { type Relay as MailRelay, startRelay } from '#server/testing/clients/mail-relay.ts'
import { certificate, type Nginx, nginxAvailable, startNginx } from '#server/testing/clients/nginx.ts'
import { openTcpProxy, type TcpProxy } from '#server/testing/clients/tcp-proxy.ts'
import { postgresPrograms } from '#server/testing/postgres/programs.ts'
import { type Running, startServer } from '#server/testing/process.ts'
import { redisAvailable, type RedisServer, startRedis } from '#server/testing/redis.ts'
import { cephInstalled } from '#server/testing/s3/ceph.ts'
import { endCeph } from '#server/testing/s3/end-ceph.ts'
import { newBuckets, s3Environment } from '#server/testing/s3/stores.ts'
import { openUnstableStore, type UnstableStore } from '#server/testing/s3/unstable-store.ts'
import { PostgresPair } from './postgres-pair.ts'

const METRICS_TOKEN = randomBytes(24).toString('base64url')

/** Names of the servers that receive requests. */
export const webServers = ['web-1', 'web-2'] as const

export type ServerName = (typeof webServers)[number] | 'worker'

/** Whether the programs of a cluster are installed; otherwise its stories are skipped. */
export const clusterAvailable = (): boolean =>
  nginxAvailable() && redisAvailable() && postgresPrograms() !== undefined && cephInstalled()

/** SHA-256 of the public key of nginx's certificate, base64, as `PhoneOptions.trustedKey` takes it. */
export const trustedKey = (): string =>
  createHash('sha256')
    .update(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

function newVapidKeys(): { VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string } {
  const pair = createECDH('prime256v1')
  const VAPID_PUBLIC_KEY = pair.generateKeys('base64url')
  const secret = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: secret.toString('base64url') }
}

/** What the servers need beside each other. */
interface Parts {
  readonly postgres: PostgresPair
  readonly redis: RedisServer
  readonly store: UnstableStore
  readonly mail: MailRelay
  /** Between nginx and the browsers. */
  readonly network: TcpProxy
}

/** Environment of a server; each has its own data folder. */
const environmentOf = ({ postgres, redis, store, mail, network }: Parts): Record<string, string> => ({
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  PUBLIC_URL: `https://localhost:${network.port}`,
  TRUST_PROXY: '1',
  DATABASE_URL: postgres.url,
  DATABASE_REPLICA_URLS: postgres.replicaUrl,
  REDIS_URL: redis.url,
  ...s3Environment(store.settings),
  SECRET_KEY: randomBytes(32).toString('base64'),
  ...newVapidKeys(),
  SMTP_URL: mail.url,
  METRICS_TOKEN,
  MIN_FREE_DISK_BYTES: '0',
  SEED_DEMO: '1',
})

export class Cluster {
  readonly postgres: PostgresPair
  readonly redis: RedisServer
  readonly store: UnstableStore
  readonly mail: MailRelay
  readonly network: TcpProxy
  readonly #nginx: Nginx
  readonly #environment: Record<string, string>
  readonly #ports: Readonly<Record<ServerName, number>>
  readonly #running = new Map<ServerName, Running>()
  readonly #folder = temporaryFolder('cluster')
  #output = ''

  private constructor(
    parts: Parts,
    nginx: Nginx,
    ports: Readonly<Record<ServerName, number>>,
    environment: Readonly<Record<string, string>>,
  ) {
    this.postgres = parts.postgres
    this.redis = parts.redis
    this.store = parts.store
    this.mail = parts.mail
    this.network = parts.network
    this.#nginx = nginx
    this.#ports = ports
    this.#environment = { ...environmentOf(parts), ...environment }
  }

  /** @param environment further variables of each server */
  static async start(environment: Readonly<Record<string, string>>): Promise<Cluster> {
    process.env[CLUSTER] = mkdtempSync(path.join(tmpdir(), 'todoke-pg-'))
    // Requests of the rig trust nginx too.
    tls.setDefaultCACertificates([...tls.getCACertificates('bundled'), certificate])
    const ports = { 'web-1': await freePort(), 'web-2': await freePort(), worker: await freePort() }
    const inner = await freePort()
    const [postgres, redis, buckets, mail, network] = await Promise.all([
      PostgresPair.start(),
      startRedis(),
      newBuckets(),
      startRelay(),
      openTcpProxy(inner),
    ])
    const store = await openUnstableStore(buckets)
    const nginx = await startNginx(temporaryFolder('no-data'), [ports['web-1'], ports['web-2']], inner)
    const cluster = new Cluster({ postgres, redis, store, mail, network }, nginx, ports, environment)
    // The first one makes the schema and the demo.
    await cluster.launch('web-1')
    await Promise.all([cluster.launch('web-2'), cluster.launch('worker')])
    return cluster
  }

  /** The address of the product. */
  get url(): string {
    return `https://localhost:${this.network.port}`
  }

  /** The address of one server. */
  addressOf(name: ServerName): string {
    return `http://127.0.0.1:${this.#ports[name]}`
  }

  /** Everything that the servers have printed. */
  get output(): string {
    return this.#output + [...this.#running.values()].map((it) => it.output()).join('')
  }

  async launch(name: ServerName): Promise<void> {
    const server = await startServer({
      ...this.#environment,
      ROLE: name === 'worker' ? 'worker' : 'web',
      PORT: String(this.#ports[name]),
      DATA_DIR: path.join(this.#folder, name),
    })
    this.#running.set(name, server)
    const ready = () => fetch(`${this.addressOf(name)}/api/health/ready`).catch(() => undefined)
    await until(async () => ((await ready())?.ok ? true : undefined), `${name} to be ready`)
  }

  /** The sum of a metric of one server over all its labels, or the value of one series of it. */
  async metric(name: ServerName, metric: string): Promise<number> {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const text = await (await fetch(`${this.addressOf(name)}/metrics`, { headers })).text()
    const series = text.split('\n').filter((it) => it.startsWith(`${metric} `) || it.startsWith(`${metric}{`))
    return series.reduce((sum, it) => sum + Number(it.slice(it.lastIndexOf(' '))), 0)
  }

  /**
   * Waits until nginx passes requests on. It leaves a server out for seconds after two failures, and answers 502 while both
   * are left out.
   */
  async passesRequests(): Promise<void> {
    const ready = () => fetch(`${this.url}/api/health/ready`).catch(() => undefined)
    await until(async () => ((await ready())?.ok ? true : undefined), 'nginx to pass requests on')
  }

  /** Ends a server by SIGKILL. */
  async kill(name: ServerName): Promise<void> {
    const server = this.#running.get(name)
    await server?.end('SIGKILL')
    this.#output += server?.output() ?? ''
    this.#running.delete(name)
  }

  async stop(): Promise<void> {
    for (const it of this.#running.keys()) await this.kill(it)
    await this.#nginx.close()
    await this.network.close()
    await this.postgres.stop()
    await this.store.close()
    await this.redis.discard()
    await this.mail.stop()
    const folder = process.env[CLUSTER] ?? ''
    delete process.env[CLUSTER]
    endCeph(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
