// Parses URLs of several Redis servers: a master that sentinels know, and a cluster.

/** `redis+sentinel://user:password@host:port,host:port/name/db`: all but hosts and name may be missing. */
const sentinelUrl = /^(rediss?)\+sentinel:\/\/(?:([^@/]*)@)?([^@/]+)\/([\w.-]+)(?:\/(\d{1,4}))?$/
const SENTINEL_PORT = 26_379

/** `redis+cluster://user:password@host:port,host:port`: some nodes, which know the others. A cluster has one database. */
const clusterUrl = /^(rediss?)\+cluster:\/\/(?:([^@/]*)@)?([^@/]+)\/?$/
const REDIS_PORT = 6379

interface Place {
  readonly host: string
  readonly port: number
}

interface Credentials {
  readonly username?: string
  readonly password?: string
}

export interface Sentinels extends Credentials {
  readonly sentinels: Place[]
  /** Of the master, as the sentinels know it. */
  readonly name: string
  readonly db: number
  readonly tls?: object
  readonly enableTLSForSentinelMode?: boolean
}

export interface ClusterPlaces {
  readonly nodes: Place[]
  /** What each node needs. */
  readonly options: Credentials & { readonly tls?: object }
}

/** @returns undefined for text that is not encoded for a URL */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** @returns undefined where one of the hosts is wrong */
function placesOf(hosts: string, defaultPort: number): Place[] | undefined {
  const places = hosts.split(',').map((it) => {
    const [host = '', port = String(defaultPort), ...more] = it.split(':')
    const isRight = /^[\w.-]+$/.test(host) && /^\d{1,5}$/.test(port) && more.length === 0
    return isRight ? { host, port: Number(port) } : undefined
  })
  const right = places.filter((it) => it !== undefined)
  return right.length === places.length ? right : undefined
}

/** @returns undefined for a wrong text */
function credentialsOf(text: string): Credentials | undefined {
  const parts = text.split(':').map(decoded)
  if (parts.length > 2 || parts.includes(undefined)) return undefined
  const [username = '', password = ''] = parts
  return { ...(username !== '' && { username }), ...(password !== '' && { password }) }
}

/**
 * Options for a master that sentinels know. User and password are those of the Redis servers.
 * @returns undefined for another or a wrong URL
 */
export function sentinelsOf(url: string): Sentinels | undefined {
  const parts = sentinelUrl.exec(url)
  if (!parts) return undefined
  const [, scheme, given = '', hosts = '', name = '', db = '0'] = parts
  const [sentinels, credentials] = [placesOf(hosts, SENTINEL_PORT), credentialsOf(given)]
  if (!sentinels || !credentials) return undefined
  return {
    sentinels,
    name,
    db: Number(db),
    ...credentials,
    ...(scheme === 'rediss' && { tls: {}, enableTLSForSentinelMode: true }),
  }
}

/**
 * Some nodes of a Redis Cluster, and the options of each.
 * @returns undefined for another or a wrong URL
 */
export function clusterOf(url: string): ClusterPlaces | undefined {
  const parts = clusterUrl.exec(url)
  if (!parts) return undefined
  const [, scheme, given = '', hosts = ''] = parts
  const [nodes, credentials] = [placesOf(hosts, REDIS_PORT), credentialsOf(given)]
  if (!nodes || !credentials) return undefined
  return { nodes, options: { ...credentials, ...(scheme === 'rediss' && { tls: {} }) } }
}
