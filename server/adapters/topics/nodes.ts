// Connections that subscribe: to one Redis, or to each master of a cluster.
import slotOf from 'cluster-key-slot'
import { Cluster, type Redis } from 'ioredis'
import { openNodeSubscriber, openSubscriber, type RedisClient } from '#server/adapters/redis.ts'
import { hasShardedTopics } from './sharded.ts'
import type { TopicNodes } from './subscriptions.ts'

/** How often a connection is checked, ms: one to a machine that vanished sends no error. */
const PING_INTERVAL = 10_000
/** How often the slots of a cluster are read while a node is lost or a slot has moved, ms, and for how long. */
const SLOTS_INTERVAL = 500
const SLOTS_WATCHED = 30_000

export interface NodesListener {
  /** A node accepts subscriptions, and has none. */
  ready(node: string): void
  /** Called once when the connection of a node is lost. */
  lost(node: string, why?: unknown): void
  /** A node is not used any more. */
  removed(node: string): void
  /** Topics may be on other nodes. */
  changed(): void
  received(node: string, topic: string, message: Buffer): void
}

export interface OpenNodes extends TopicNodes {
  /** Connects. The listener is called after this call at the earliest. */
  start(listener: NodesListener): void
  close(): void
}

interface NodeConnection {
  isReady(): boolean
  subscribe(topic: string): Promise<unknown>
  unsubscribe(topic: string): void
  close(): void
}

interface ConnectionEvents {
  ready(): void
  lost(why?: unknown): void
  /** The node no longer has one of its topics. */
  moved(): void
  received(topic: string, message: Buffer): void
}

function openConnection(redis: Redis, on: ConnectionEvents): NodeConnection {
  let isReady = false
  let isLost = false
  let isSharded = false
  let why: unknown
  const begin = async () => {
    try {
      isSharded = await hasShardedTopics(redis)
      if (redis.status !== 'ready') return
      isReady = true
      isLost = false
      on.ready()
    } catch {
      redis.disconnect(true)
    }
  }
  const end = () => {
    isReady = false
    // Each further try to connect ends too.
    if (isLost) return
    isLost = true
    on.lost(why)
  }
  redis.on('ready', () => void begin())
  redis.on('close', end)
  redis.on('error', (error: unknown) => (why = error))
  redis.on('moved', () => on.moved())
  const received = (topic: Buffer, message: Buffer) => on.received(topic.toString(), message)
  redis.on('messageBuffer', received)
  redis.on('smessageBuffer', received)
  if (redis.status === 'ready') void begin()
  const pings = setInterval(() => {
    if (isReady) redis.ping().catch(() => redis.disconnect(true))
  }, PING_INTERVAL)
  pings.unref()
  return {
    isReady: () => isReady,
    subscribe: (topic) => (isSharded ? redis.ssubscribe(topic) : redis.subscribe(topic)),
    unsubscribe(topic) {
      const call = isSharded ? redis.sunsubscribe(topic) : redis.unsubscribe(topic)
      call.catch(() => undefined)
    },
    close() {
      clearInterval(pings)
      redis.off('close', end)
      redis.disconnect()
    },
  }
}

const ONLY = 'redis'

class SingleNode implements OpenNodes {
  readonly #url: string
  #connection: NodeConnection | undefined

  constructor(url: string) {
    this.#url = url
  }

  start(listener: NodesListener): void {
    this.#connection = openConnection(openSubscriber(this.#url), {
      ready: () => listener.ready(ONLY),
      lost: (why) => listener.lost(ONLY, why),
      // A Redis without slots moves none.
      moved: () => undefined,
      received: (topic, message) => listener.received(ONLY, topic, message),
    })
  }

  nodeOf(): string {
    return ONLY
  }

  isReady(): boolean {
    return this.#connection?.isReady() === true
  }

  async subscribe(_node: string, topic: string): Promise<unknown> {
    return this.#connection?.subscribe(topic)
  }

  unsubscribe(_node: string, topic: string): void {
    this.#connection?.unsubscribe(topic)
  }

  close(): void {
    this.#connection?.close()
  }
}

/** Connections to the masters of a cluster, by its slots. */
class ClusterNodes implements OpenNodes {
  readonly #cluster: Cluster
  #listener: NodesListener | undefined
  readonly #connections = new Map<string, NodeConnection>()
  /** The master of each slot, `host:port`. */
  #masters: readonly (string | undefined)[] = []
  #watching: NodeJS.Timeout | undefined
  readonly #onRefresh = () => this.#readSlots()

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  start(listener: NodesListener): void {
    this.#listener = listener
    this.#cluster.on('refresh', this.#onRefresh)
    this.#readSlots()
  }

  nodeOf(topic: string): string | undefined {
    return this.#masters[slotOf(topic)]
  }

  isReady(node: string): boolean {
    return this.#connections.get(node)?.isReady() === true
  }

  async subscribe(node: string, topic: string): Promise<unknown> {
    const connection = this.#connections.get(node)
    if (!connection) throw new Error(`no connection to ${node}`)
    return connection.subscribe(topic)
  }

  unsubscribe(node: string, topic: string): void {
    this.#connections.get(node)?.unsubscribe(topic)
  }

  close(): void {
    clearInterval(this.#watching)
    this.#cluster.off('refresh', this.#onRefresh)
    for (const it of this.#connections.values()) it.close()
    this.#connections.clear()
  }

  #readSlots(): void {
    const masters = Array.from(this.#cluster.slots, (nodes) => nodes?.[0])
    const isSame =
      masters.length === this.#masters.length && masters.every((it, i) => it === this.#masters[i])
    if (isSame) return
    this.#masters = masters
    this.#stopWatching()
    const used = new Set(masters.filter((it) => it !== undefined))
    for (const node of used) if (!this.#connections.has(node)) this.#connections.set(node, this.#open(node))
    this.#listener?.changed()
    for (const [node, connection] of this.#connections) {
      if (used.has(node)) continue
      this.#connections.delete(node)
      connection.close()
      this.#listener?.removed(node)
    }
  }

  #open(node: string): NodeConnection {
    return openConnection(openNodeSubscriber(this.#cluster, node), {
      ready: () => this.#listener?.ready(node),
      lost: (why) => {
        this.#listener?.lost(node, why)
        this.#watchSlots()
      },
      moved: () => this.#watchSlots(),
      received: (topic, message) => this.#listener?.received(node, topic, message),
    })
  }

  /** Reads the slots until they change: a node that has lost a slot knows of it before the others. */
  #watchSlots(): void {
    if (this.#watching) return
    const giveUpAt = performance.now() + SLOTS_WATCHED
    const read = () => {
      if (performance.now() > giveUpAt) this.#stopWatching()
      this.#cluster.refreshSlotsCache()
    }
    this.#watching = setInterval(read, SLOTS_INTERVAL)
    this.#watching.unref()
    read()
  }

  #stopWatching(): void {
    clearInterval(this.#watching)
    this.#watching = undefined
  }
}

/** @param client by which the slots of a cluster are read */
export const nodesOf = (url: string, client: RedisClient): OpenNodes =>
  client instanceof Cluster ? new ClusterNodes(client) : new SingleNode(url)
