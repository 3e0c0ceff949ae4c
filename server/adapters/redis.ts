// Opens Redis connections, whose commands fail fast and which reconnect.
import { Cluster, Redis } from 'ioredis'
import { clusterOf, sentinelsOf } from './redis-urls.ts'

/** Timeout of a command, ms. */
const COMMAND_TIMEOUT = 300
/** Timeout of a subscription and of a ping of a connection that subscribes, ms: no caller waits that long. */
const SUBSCRIBE_TIMEOUT = 5000
/** Longest delay between reconnects, ms. */
const RECONNECT_DELAY = 2000
const CONNECT_TIMEOUT = 5000

/** How often a cluster's slots are read without a reason, ms: a master that vanished sends no error. */
const SLOTS_INTERVAL = 2000
/** Delay before a command is sent again to a shard without a master, ms. */
const CLUSTER_RETRY_DELAY = 100
/** Tries of one command in a cluster; with the delays they end before the timeout. */
const CLUSTER_TRIES = 3

/** A connection to one Redis, or those to the nodes of a cluster. */
export type RedisClient = Redis | Cluster

/** The commands of the server. Each has one key, so that it has one slot in a cluster. */
export type RedisCommands = Pick<
  Redis,
  'eval' | 'set' | 'del' | 'hset' | 'hdel' | 'hgetall' | 'pexpire' | 'publish' | 'spublish' | 'call'
>

const retryStrategy = (tries: number) => Math.min(tries * 100, RECONNECT_DELAY)

const common = {
  connectTimeout: CONNECT_TIMEOUT,
  commandTimeout: COMMAND_TIMEOUT,
  maxRetriesPerRequest: 0,
}

/** Each command's failure is handled by its caller; without a listener the library prints every one. */
function withoutPrinting<C extends RedisClient>(client: C): C {
  client.on('error', () => undefined)
  return client
}

function openCluster(
  { nodes, options }: NonNullable<ReturnType<typeof clusterOf>>,
  commandTimeout: number,
): Cluster {
  const cluster = new Cluster(nodes, {
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    maxRedirections: CLUSTER_TRIES,
    retryDelayOnFailover: CLUSTER_RETRY_DELAY,
    retryDelayOnClusterDown: CLUSTER_RETRY_DELAY,
    retryDelayOnTryAgain: CLUSTER_RETRY_DELAY,
    slotsRefreshInterval: SLOTS_INTERVAL,
    redisOptions: { ...common, commandTimeout, ...options },
  })
  // Otherwise the first command connects, and those sent at the same time fail.
  cluster.on('+node', (node: Redis) => {
    if (node.options.readOnly !== true && node.status === 'wait') node.connect().catch(() => undefined)
  })
  return withoutPrinting(cluster)
}

function openSingle(
  url: string,
  more: { readonly commandTimeout?: number; readonly autoResubscribe?: boolean },
): Redis {
  const options = {
    ...common,
    // Without a connection a command fails at once instead of waiting for one.
    enableOfflineQueue: false,
    retryStrategy,
    // A master that became a replica refuses writes, and its sentinels know the next one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
    ...more,
  }
  const sentinels = sentinelsOf(url)
  return withoutPrinting(sentinels ? new Redis({ ...options, ...sentinels }) : new Redis(url, options))
}

/**
 * Opens a connection; an unreachable Redis is not an error.
 * @param url redis://… or rediss://…, or one of sentinels or of a cluster
 * @param commandTimeout ms
 */
export function openRedis(url: string, commandTimeout = COMMAND_TIMEOUT): RedisClient {
  const cluster = clusterOf(url)
  return cluster ? openCluster(cluster, commandTimeout) : openSingle(url, { commandTimeout })
}

const subscribing = { commandTimeout: SUBSCRIBE_TIMEOUT, autoResubscribe: false }

/** Opens a connection for subscriptions, which its owner renews after a reconnect. */
export const openSubscriber = (url: string): Redis => openSingle(url, subscribing)

/** The same for one node of a cluster. @param node `host:port` */
export function openNodeSubscriber(cluster: Cluster, node: string): Redis {
  const cut = node.lastIndexOf(':')
  const { username, password, tls } = cluster.options.redisOptions ?? {}
  return withoutPrinting(
    new Redis({
      ...common,
      ...subscribing,
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(tls && { tls }),
      host: node.slice(0, cut),
      port: Number(node.slice(cut + 1)),
      enableOfflineQueue: false,
      retryStrategy,
    }),
  )
}

/** Waits until Redis is connected, at most for `ms`. @returns whether it is */
export async function connected(redis: RedisClient, ms = 2000): Promise<boolean> {
  if (redis.status === 'ready') return true
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** An error as the log may have it: the library adds the arguments of its command, also passwords. */
export const loggable = (why: unknown): Error | undefined =>
  why instanceof Error ? new Error(why.message) : undefined

/** What the machine page shows of Redis. */
export interface RedisState {
  ping(): Promise<void>
  version(): Promise<string | null>
}

export const stateOf = (redis: RedisClient): RedisState => ({
  /** @throws when one master does not reply: a shard of a cluster has its own limits, locks and messages */
  async ping() {
    if (redis instanceof Redis) return void (await redis.ping())
    const names = new Set(Array.from(redis.slots, (nodes) => nodes?.[0]).filter((it) => it !== undefined))
    if (names.size === 0) throw new Error('no node of the Redis Cluster is reachable')
    // The library removes a node whose connection ended, until it reads the slots again.
    const reachable = redis
      .nodes('master')
      .filter(({ options }) => names.has(`${options.host}:${options.port}`))
    if (reachable.length < names.size) throw new Error('a master of the Redis Cluster is not reachable')
    await Promise.all(reachable.map((it) => it.ping()))
  },
  version: async () => /^redis_version:(\S{1,40})/m.exec(await redis.info('server'))?.[1] ?? null,
})
