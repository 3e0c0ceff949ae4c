// Decides which topics are subscribed on which Redis node, and when messages were missed.

/** A delayed unsubscription, ms: pages that reconnect or go back subscribe to the same topic again. */
export const UNSUBSCRIBE_DELAY = 10_000
/** Longest wait for the confirmation of a subscription, ms. */
export const CONFIRM_TIMEOUT = 1000
/** Delay before a refused subscription is requested again, ms. */
const RETRY_DELAY = 2000
/** Subscriptions that are requested at the same time after a reconnect. */
const BATCH = 500

export interface TopicSubscriber {
  received(message: Buffer): void
  /** Messages of the topic may have been lost before this call. */
  missed(): void
}

/** Connections to the Redis nodes: one, or one for each master of a cluster. */
export interface TopicNodes {
  /** The node on which messages of a topic arrive; undefined while it is unknown. */
  nodeOf(topic: string): string | undefined
  isReady(node: string): boolean
  /** Resolves when the node has confirmed it. Commands of one node are sent in the order of the calls. */
  subscribe(node: string, topic: string): Promise<unknown>
  unsubscribe(node: string, topic: string): void
}

interface SubscriptionOptions {
  readonly after?: After
  /** Called once when a node refuses a subscription, with the error, and once when none is refused any more. */
  readonly changed?: (areAccepted: boolean, why?: unknown) => void
}

/** Calls a function after a time, ms. @returns cancels the call */
export type After = (ms: number, run: () => void) => () => void

export const afterNow: After = (ms, run) => {
  const timer = setTimeout(run, ms)
  timer.unref()
  return () => clearTimeout(timer)
}

interface Entry {
  readonly topic: string
  readonly subscriber: TopicSubscriber
  node: string | undefined
  state: 'wanted' | 'requested' | 'confirmed'
  /** The number of the newest request: replies to earlier ones have no effect. */
  request: number
  /** Whether messages may have been lost since the last confirmation. */
  hasGap: boolean
  /** Resolved at the confirmation, or when the node is lost. */
  waiting: PromiseWithResolvers<void> | undefined
  cancelRemoval: (() => void) | undefined
}

function endWaiting(entry: Entry): void {
  entry.waiting?.resolve()
  entry.waiting = undefined
}

/** The subscription has to be requested again, and what was published until then is lost. */
function lose(entry: Entry): void {
  entry.state = 'wanted'
  entry.request += 1
  entry.hasGap = true
  endWaiting(entry)
}

export class Subscriptions {
  readonly #nodes: TopicNodes
  readonly #after: After
  readonly #changed: NonNullable<SubscriptionOptions['changed']>
  readonly #entries = new Map<string, Entry>()
  readonly #refused = new Set<Entry>()
  #cancelRetry: (() => void) | undefined

  constructor(nodes: TopicNodes, { after = afterNow, changed = () => undefined }: SubscriptionOptions = {}) {
    this.#nodes = nodes
    this.#after = after
    this.#changed = changed
  }

  /** Subscribes to a topic until `close`; a topic that is about to be unsubscribed stays. */
  open(topic: string, subscriber: TopicSubscriber): void {
    const known = this.#entries.get(topic)
    if (known) {
      known.cancelRemoval?.()
      known.cancelRemoval = undefined
      return
    }
    const node = this.#nodes.nodeOf(topic)
    const entry: Entry = {
      topic,
      subscriber,
      node,
      state: 'wanted',
      request: 0,
      // Without a connection the first subscription is late.
      hasGap: !this.#isReady(node),
      waiting: undefined,
      cancelRemoval: undefined,
    }
    this.#entries.set(topic, entry)
    if (!entry.hasGap) void this.#request(entry)
  }

  /**
   * @returns a promise that resolves when messages of the topic arrive, at the latest after `CONFIRM_TIMEOUT`; undefined
   * if there is nothing to wait for. What is lost because of a late confirmation is reported as missed.
   */
  ready(topic: string): Promise<void> | undefined {
    const entry = this.#entries.get(topic)
    if (!entry || entry.state !== 'requested') return undefined
    entry.waiting ??= Promise.withResolvers<void>()
    const { promise } = entry.waiting
    const late = Promise.withResolvers<void>()
    const cancel = this.#after(CONFIRM_TIMEOUT, () => {
      if (entry.state !== 'confirmed') entry.hasGap = true
      late.resolve()
    })
    return Promise.race([promise.then(cancel), late.promise])
  }

  /** Unsubscribes after `UNSUBSCRIBE_DELAY`. */
  close(topic: string): void {
    const entry = this.#entries.get(topic)
    if (!entry || entry.cancelRemoval) return
    entry.cancelRemoval = this.#after(UNSUBSCRIBE_DELAY, () => this.#remove(entry))
  }

  /** A message arrived from a node; one of a node that no longer has the topic is a duplicate. */
  received(node: string, topic: string, message: Buffer): void {
    const entry = this.#entries.get(topic)
    if (entry?.node === node) entry.subscriber.received(message)
  }

  /** A node is connected, for the first time or again, without any subscription. */
  nodeReady(node: string): Promise<void> {
    return this.#requestAll((it) => it.node === node)
  }

  /** The connection of a node was lost, and with it its subscriptions. */
  nodeLost(node: string): void {
    for (const entry of this.#entries.values()) if (entry.node === node) lose(entry)
  }

  /** Topics may be on other nodes than before. */
  nodesChanged(): Promise<void> {
    const moved = new Set<Entry>()
    for (const entry of this.#entries.values()) {
      const node = this.#nodes.nodeOf(entry.topic)
      if (node === entry.node) continue
      this.#unsubscribe(entry)
      lose(entry)
      entry.node = node
      moved.add(entry)
    }
    return this.#requestAll((it) => moved.has(it))
  }

  /** Topics that Redis has to know, with those that are about to be unsubscribed. */
  get size(): number {
    return this.#entries.size
  }

  stop(): void {
    this.#cancelRetry?.()
    for (const entry of this.#entries.values()) {
      entry.cancelRemoval?.()
      endWaiting(entry)
    }
    this.#entries.clear()
  }

  #isReady(node: string | undefined): node is string {
    return node !== undefined && this.#nodes.isReady(node)
  }

  #unsubscribe({ node, state, topic }: Entry): void {
    if (state !== 'wanted' && this.#isReady(node)) this.#nodes.unsubscribe(node, topic)
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.topic)
    this.#accept(entry)
    this.#unsubscribe(entry)
    endWaiting(entry)
  }

  async #request(entry: Entry): Promise<void> {
    const { node, topic } = entry
    if (!this.#isReady(node)) return
    entry.state = 'requested'
    entry.request += 1
    const { request } = entry
    const isCurrent = () => this.#entries.get(topic) === entry && entry.request === request
    try {
      await this.#nodes.subscribe(node, topic)
      if (isCurrent()) this.#confirm(entry)
    } catch (error) {
      if (!isCurrent()) return
      lose(entry)
      if (this.#refused.size === 0) this.#changed(false, error)
      this.#refused.add(entry)
      this.#cancelRetry ??= this.#after(RETRY_DELAY, () => {
        this.#cancelRetry = undefined
        void this.#requestAll(() => true)
      })
    }
  }

  #accept(entry: Entry): void {
    if (this.#refused.delete(entry) && this.#refused.size === 0) this.#changed(true)
  }

  #confirm(entry: Entry): void {
    entry.state = 'confirmed'
    this.#accept(entry)
    endWaiting(entry)
    if (!entry.hasGap) return
    entry.hasGap = false
    entry.subscriber.missed()
  }

  async #requestAll(isMeant: (entry: Entry) => boolean): Promise<void> {
    const wanted = [...this.#entries.values()].filter((it) => it.state === 'wanted' && isMeant(it))
    for (let from = 0; from < wanted.length; from += BATCH) {
      const batch = wanted.slice(from, from + BATCH)
      // Entries may have been removed or requested during the batches before.
      const still = batch.filter((it) => it.state === 'wanted' && this.#entries.get(it.topic) === it)
      await Promise.all(still.map((it) => this.#request(it)))
    }
  }
}
