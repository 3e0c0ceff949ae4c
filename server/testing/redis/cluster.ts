// A temporary Redis Cluster for tests: three masters with one replica each.
import slotOf from 'cluster-key-slot'
import { Redis } from 'ioredis'
import { defined } from '#contract/testing/defined.ts'
import { freePort } from '#server/testing/free-port.ts'
import { type RedisServer, startRedis } from '#server/testing/redis.ts'
import { until } from '#server/testing/until.ts'

/** Time after which nodes regard a silent one as failed, ms. A replica takes over soon after. */
const NODE_TIMEOUT = 1000
const SLOTS = 16_384
const MASTERS = 3
/** Longest wait for the nodes to agree, ms. */
const AGREE_MS = 30_000

interface Node {
  readonly server: RedisServer
  readonly client: Redis
  readonly port: number
  readonly busPort: number
  readonly id: string
}

export interface RedisCluster {
  readonly url: string
  /** The port of the master of a key or topic, as the cluster has it now. */
  masterOf(key: string): Promise<number>
  /** A client of the node with this port. */
  clientOf(port: number): Redis
  kill(port: number): Promise<void>
  freeze(port: number): void
  /** Starts a killed node again, as a replica of the new master. */
  start(port: number): Promise<void>
  /** Moves the slot of a key from its master to another one, without keys. @returns the port of the new master */
  moveSlot(key: string): Promise<number>
  discard(): Promise<void>
}

const agreed = (isTrue: () => Promise<boolean>, otherwise: string) =>
  until(isTrue, `the Redis Cluster of a test: ${otherwise}`, AGREE_MS)

async function startNode(more: readonly string[]): Promise<Node> {
  const busPort = await freePort()
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-node-timeout': NODE_TIMEOUT,
    'cluster-port': busPort,
    'cluster-announce-ip': '127.0.0.1',
    'cluster-replica-validity-factor': 0,
    'repl-diskless-sync-delay': 0,
  }
  const given = Object.entries(settings).flatMap(([name, it]) => [`--${name}`, String(it)])
  const server = await startRedis([...given, ...more])
  const port = Number(new URL(server.url).port)
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 100, enableOfflineQueue: true })
  client.on('error', () => undefined)
  const id = String(await client.cluster('MYID'))
  return { server, client, port, busPort, id }
}

const infoOf = async ({ client }: Node) => String(await client.cluster('INFO'))

/** Gives the slots to the masters, and a replica to each. */
async function join(masters: readonly Node[], replicas: readonly Node[]): Promise<void> {
  const nodes = [...masters, ...replicas]
  const size = Math.ceil(SLOTS / masters.length)
  for (const [i, { client }] of masters.entries()) {
    await client.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)
    await client.call('CLUSTER', 'ADDSLOTSRANGE', i * size, Math.min(SLOTS, (i + 1) * size) - 1)
  }
  const [first] = masters
  for (const { port, busPort } of nodes.slice(1))
    await first?.client.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort)
  const hasAll = async (it: Node) => (await infoOf(it)).includes(`cluster_known_nodes:${nodes.length}`)
  await agreed(async () => (await Promise.all(nodes.map(hasAll))).every(Boolean), 'the nodes do not meet')
  for (const [i, { client }] of replicas.entries())
    await client.call('CLUSTER', 'REPLICATE', defined(masters[i]?.id))
  const isLinked = async ({ client }: Node) =>
    (await client.info('replication')).includes('master_link_status:up')
  await agreed(
    async () => (await Promise.all(replicas.map(isLinked))).every(Boolean),
    'a replica has no master',
  )
  const isOk = async (it: Node) => (await infoOf(it)).includes('cluster_state:ok')
  await agreed(async () => (await Promise.all(nodes.map(isOk))).every(Boolean), 'a node has no cluster')
}

/** @returns the ports of masters by slot, as one node has them */
async function mastersSeenBy({ client }: Node): Promise<(slot: number) => number | undefined> {
  const ranges = await client.cluster('SLOTS')
  return (slot) => ranges.find(([from, to]) => slot >= from && slot <= to)?.[2]?.[1]
}

/** @param more further settings of each node */
export async function startRedisCluster(more: readonly string[] = []): Promise<RedisCluster> {
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, () => startNode(more)))
  await join(nodes.slice(0, MASTERS), nodes.slice(MASTERS))
  const dead = new Set<number>()
  const alive = () => nodes.filter((it) => !dead.has(it.port))
  const nodeAt = (port: number): Node => {
    const found = nodes.find((it) => it.port === port)
    if (!found) throw new Error(`no node has port ${port}`)
    return found
  }
  const masterOf = async (key: string): Promise<number> => {
    const [seen] = alive()
    const port = seen && (await mastersSeenBy(seen))(slotOf(key))
    if (port === undefined) throw new Error(`no node has ${key}`)
    return port
  }
  return {
    url: `redis+cluster://${nodes
      .slice(1, 4)
      .map((it) => `127.0.0.1:${it.port}`)
      .join(',')}`,
    masterOf,
    clientOf: (port) => nodeAt(port).client,
    async kill(port) {
      dead.add(port)
      await nodeAt(port).server.kill()
    },
    freeze(port) {
      dead.add(port)
      nodeAt(port).server.freeze()
    },
    async start(port) {
      await nodeAt(port).server.start()
      dead.delete(port)
      const isOk = async () => (await infoOf(nodeAt(port))).includes('cluster_state:ok')
      await agreed(isOk, 'a node that started again has no cluster')
    },
    async moveSlot(key) {
      const [slot, from] = [slotOf(key), nodeAt(await masterOf(key))]
      const seen = await mastersSeenBy(from)
      const ports = [0, SLOTS / 2, SLOTS - 1].map((it) => seen(it))
      const to = nodeAt(defined(ports.find((it) => it !== undefined && it !== from.port)))
      await to.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id)
      await from.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id)
      for (const { client } of [to, from]) await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', to.id)
      return to.port
    },
    async discard() {
      for (const { client, server } of nodes) {
        client.disconnect()
        server.thaw()
        await server.discard()
      }
    },
  }
}
