// Messages between servers on one Redis or Redis Cluster, by topic.
import { randomUUID } from 'node:crypto'
import { loggable, type RedisClient } from '#server/adapters/redis.ts'
import { nodesOf } from './nodes.ts'
import { Publisher, type WhenLost } from './publisher.ts'
import { hasShardedTopics } from './sharded.ts'
import { Subscriptions, type TopicSubscriber } from './subscriptions.ts'

export interface Topics {
  /** Sends a message to every other server that is subscribed. It never throws. */
  publish(topic: string, message: Buffer, whenLost: WhenLost): void
  /** Subscribes until `unsubscribe`. Messages of this server are left out. */
  subscribe(topic: string, subscriber: TopicSubscriber): void
  /** Unsubscribes after a delay, during which messages still arrive. */
  unsubscribe(topic: string): void
  /** Resolves when messages of the topic arrive, or after a bounded wait; undefined if there is nothing to wait for. */
  ready(topic: string): Promise<void> | undefined
  /** Calls a listener once when messages are lost, with the error, also before this call; and once when they arrive again. */
  onChange(listener: (isConnected: boolean, why?: unknown) => void): void
  close(): void
}

/** A gap of this topic means that messages of all topics may be lost. Every server that has live connections has it. */
export const EVERY_SERVER = 'todoke:servers'

/** A message on Redis: the id of its server, its kind, its bytes. */
const ID_BYTES = 36
const [MESSAGE, GAP] = [0x6d, 0x67]

/** Reports a connection as lost while one of its parts is. */
function createState() {
  const lost = new Map<string, unknown>()
  let listener: (isConnected: boolean, why?: unknown) => void = () => undefined
  return {
    listen(to: typeof listener) {
      listener = to
      for (const why of [...lost.values()].slice(0, 1)) listener(false, why)
    },
    set(part: string, isConnected: boolean, why?: unknown) {
      const before = lost.size === 0
      if (isConnected) lost.delete(part)
      else lost.set(part, loggable(why))
      if (before !== (lost.size === 0)) listener(lost.size === 0, loggable(why))
    },
  }
}

/** Publishes as subscribers subscribe: sharded where Redis has it. */
function publishingTo(redis: RedisClient): (topic: string, message: Buffer) => Promise<unknown> {
  let sharded: Promise<boolean> | undefined
  // After a failover or an upgrade it may be another version.
  redis.on('ready', () => (sharded = undefined))
  return async (topic, message) => {
    sharded ??= hasShardedTopics(redis).catch((error: unknown) => {
      sharded = undefined
      throw error
    })
    return (await sharded) ? redis.spublish(topic, message) : redis.publish(topic, message)
  }
}

/** @param url of the connections that subscribe; @param redis the client that is used for everything else too */
export function openTopics(url: string, redis: RedisClient): Topics {
  const self = Buffer.from(randomUUID())
  const state = createState()
  const packed = (kind: number, message: Buffer) => Buffer.concat([self, Buffer.of(kind), message])
  const publisher = new Publisher({
    publish: publishingTo(redis),
    changed: (isAccepting, why) => state.set('publishing', isAccepting, why),
    gap: packed(GAP, Buffer.alloc(0)),
    everyTopic: EVERY_SERVER,
  })
  const nodes = nodesOf(url, redis)
  const subscriptions = new Subscriptions(nodes, {
    changed: (areAccepted, why) => state.set('subscriptions', areAccepted, why),
  })
  nodes.start({
    ready(node) {
      void subscriptions.nodeReady(node).then(() => nodes.isReady(node) && state.set(node, true))
    },
    lost(node, why) {
      subscriptions.nodeLost(node)
      state.set(node, false, why)
    },
    removed: (node) => state.set(node, true),
    changed: () => void subscriptions.nodesChanged(),
    received: (node, topic, bytes) => subscriptions.received(node, topic, bytes),
  })
  const subscriberOf = ({ received, missed }: TopicSubscriber): TopicSubscriber => ({
    missed,
    received(bytes) {
      if (bytes.length <= ID_BYTES || self.equals(bytes.subarray(0, ID_BYTES))) return
      if (bytes[ID_BYTES] === GAP) missed()
      else if (bytes[ID_BYTES] === MESSAGE) received(bytes.subarray(ID_BYTES + 1))
    },
  })
  return {
    publish: (topic, message, whenLost) => publisher.publish(topic, packed(MESSAGE, message), whenLost),
    subscribe: (topic, subscriber) => subscriptions.open(topic, subscriberOf(subscriber)),
    unsubscribe: (topic) => subscriptions.close(topic),
    ready: (topic) => subscriptions.ready(topic),
    onChange: (listener) => state.listen(listener),
    close() {
      publisher.stop()
      subscriptions.stop()
      nodes.close()
    },
  }
}
