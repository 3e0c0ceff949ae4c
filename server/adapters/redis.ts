// Opens Redis connections, whose commands fail fast and which reconnect.
import { Redis } from 'ioredis'

/** Timeout of a command, ms. */
const COMMAND_TIMEOUT = 300
/** Longest delay between reconnects, ms. */
const RECONNECT_DELAY = 2000

/** `redis+sentinel://user:password@host:port,host:port/name/db`: all but hosts and name may be missing. */
const sentinelUrl = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/]+)\/([\w.-]+)(?:\/(\d{1,4}))?$/
const SENTINEL_PORT = 26_379

interface Sentinels {
  readonly sentinels: { host: string; port: number }[]
  /** Of the master, as the sentinels know it. */
  readonly name: string
  readonly db: number
  readonly username?: string
  readonly password?: string
  readonly tls?: object
  readonly enableTLSForSentinelMode?: boolean
}

/** @returns undefined for text that is not encoded for a URL */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Options for a master that sentinels know. User and password are those of the Redis servers.
 * @returns undefined for another or a wrong URL
 */
export function sentinelsOf(url: string): Sentinels | undefined {
  const parts = sentinelUrl.exec(url)
  if (!parts) return undefined
  const [, scheme, credentials = '', hosts = '', name = '', db = '0'] = parts
  const places = hosts.split(',').map((it) => {
    const [host = '', port = String(SENTINEL_PORT), ...more] = it.split(':')
    return {
      host,
      port: Number(port),
      isRight: /^[\w.-]+$/.test(host) && /^\d{1,5}$/.test(port) && !more.length,
    }
  })
  const [username = '', password = '', ...more] = credentials.split(':').map((it) => decoded(it) ?? null)
  if (username === null || password === null || more.length > 0) return undefined
  if (!places.every((it) => it.isRight)) return undefined
  return {
    sentinels: places.map(({ host, port }) => ({ host, port })),
    name,
    db: Number(db),
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(scheme === 'rediss' && { tls: {}, enableTLSForSentinelMode: true }),
  }
}

/**
 * Opens a connection; an unreachable Redis is not an error.
 * @param url redis://… or rediss://…, or one of sentinels
 */
export function openRedis(url: string): Redis {
  const options = {
    connectTimeout: 5000,
    commandTimeout: COMMAND_TIMEOUT,
    maxRetriesPerRequest: 0,
    // Without a connection a command fails at once instead of waiting for one.
    enableOfflineQueue: false,
    retryStrategy: (tries: number) => Math.min(tries * 100, RECONNECT_DELAY),
    // A master that became a replica refuses writes, and its sentinels know the next one.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  }
  const sentinels = sentinelsOf(url)
  const redis = sentinels ? new Redis({ ...options, ...sentinels }) : new Redis(url, options)
  // Each command's failure is handled by its caller; without a listener the library prints every one.
  redis.on('error', () => undefined)
  return redis
}

/** Waits until Redis is connected, at most for `ms`. @returns whether it is */
export async function connected(redis: Redis, ms = 2000): Promise<boolean> {
  if (redis.status === 'ready') return true
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    redis.once('ready', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}

/** What the machine page shows of Redis. */
export interface RedisState {
  ping(): Promise<void>
  version(): Promise<string | null>
}

export const stateOf = (redis: Redis): RedisState => ({
  async ping() {
    await redis.ping()
  },
  version: async () => /^redis_version:(\S{1,40})/m.exec(await redis.info('server'))?.[1] ?? null,
})
