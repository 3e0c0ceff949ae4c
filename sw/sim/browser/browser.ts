// One browser profile: its database, locks and channels, its pages, and its worker.
import type { DeliveryNotice } from '#contract/notifications/notices.ts'
import type { MutationJob } from '#device/jobs/job-rows.ts'
import type { JobStore } from '#sw/queue/ports.ts'
import { Disk } from './disk.ts'
import { SimLocks } from './locks.ts'
import { type Channel, type MessageListener, Page, type Product } from './page.ts'
import type { Program } from './program.ts'
import type { World } from '#sw/sim/world.ts'

const ORIGIN = 'https://todoke.test'
/** Pages check this often whether something is still to be sent, ms; less often than src/sw-bridge.ts does. */
const WATCH_MS = 15_000

/** The queue of jobs with files, or of mutations. */
export type QueueName = 'uploads' | 'mutations'
/** The queues that a story runs. */
export type QueueChoice = QueueName | 'both'

/** A message of a page to its worker (sw/messages.ts). */
type Message = 'deliver' | 'nudge' | 'tock'

export class Browser {
  readonly disk: Disk
  readonly locks = new SimLocks()
  /** Without a worker the tabs run the queue. */
  readonly hasWorker: boolean
  pages: Page[] = []
  program: Program<Product>
  readonly #world: World
  readonly #queueName: QueueChoice
  #starting = false

  constructor(
    world: World,
    disk: Disk,
    program: Program<Product>,
    queueName: QueueChoice,
    hasWorker: boolean,
  ) {
    this.#queueName = queueName
    this.#world = world
    this.disk = disk
    this.program = program
    this.hasWorker = hasWorker
    this.locks.grantsAll = world.faults.noLock ?? false
    this.locks.onRelease = (name, page) => world.inspector.activeRequests.onRelease(name, page as Page)
    disk.onCommit = (stores, durability) => world.inspector.onCommit(stores, durability)
  }

  get tabs(): Page[] {
    return this.pages.filter((it) => it.kind === 'tab')
  }
  get worker(): Page | undefined {
    return this.pages.find((it) => it.kind === 'worker')
  }

  /** The person opens a tab. */
  openTab(): Page {
    const tab = new Page(this.#world, this, 'tab', this.program)
    this.pages.push(tab)
    const { product } = tab
    product.setProbe((key) => product.readProbe(key))
    if (!this.hasWorker) this.#runQueue(tab)
    product.onChange((change) => {
      if (change.store === 'session') this.postMessage('deliver')
    })
    const watch = () => {
      if (!tab.alive) return
      if (this.hasOpenWork()) this.postMessage('deliver')
      this.#world.timeline.after(WATCH_MS, watch)
    }
    watch()
    return tab
  }

  /** A random open tab, or a new one. */
  anyTab(): Page {
    return this.tabs.length > 0 ? this.#world.random.pick(this.tabs) : this.openTab()
  }

  hasOpenWork(): boolean {
    return this.disk.rows('jobs').length + this.disk.rows('early').length + this.disk.rows('acts').length > 0
  }

  /** Posts a message to the worker, which the browser starts if necessary; without a worker every tab handles it. */
  postMessage(message: Message): void {
    this.#world.inspector.session.onMessage()
    if (!this.hasWorker) {
      for (const tab of this.tabs) void handleMessage(this.#world, tab, message)
      return
    }
    const { worker } = this
    if (worker) return void handleMessage(this.#world, worker, message)
    if (this.#starting) return
    this.#starting = true
    this.#world.timeline.after(this.#world.random.between(10, 500), () => {
      this.#starting = false
      if (this.tabs.length === 0 || this.worker) return
      void handleMessage(this.#world, this.startWorker(), message)
    })
  }

  startWorker(): Page {
    const worker = new Page(this.#world, this, 'worker', this.program)
    this.pages.push(worker)
    this.#runQueue(worker)
    return worker
  }

  /** Connects the queue as sw/main.ts does and, without a worker, src/worker.ts. */
  #runQueue(page: Page): void {
    const { product } = page
    const { inspector } = this.#world
    const { files, mutations } = product.deviceQueues(ORIGIN)
    const notify = async (notice: DeliveryNotice) => void (page.alive && inspector.onNotice(notice))
    const ofFiles = () =>
      product.createRunner({ ...files.ports, store: this.#storeOf(files.ports.store), notify }, files.kinds)
    const ofMutations = () =>
      product.createRunner(
        { ...mutations.ports, store: this.#mutationStoreOf(mutations.ports.store) },
        mutations.kinds,
      )
    // The two queues share only the session: most stories run one of them.
    const runner = {
      uploads: ofFiles,
      mutations: ofMutations,
      both: () => product.combineRunners([ofFiles(), ofMutations()]),
    }[this.#queueName]()
    product.onChange((change) => {
      if (product.isForQueue(change)) runner.wake()
    })
    page.runner = runner
    const tick = async () =>
      void (this.tabs.length > 0 && page.alive && handleMessage(this.#world, page, 'tock'))
    const report = (error: unknown) => void (page.alive && inspector.reportError(error))
    page.lifetime = product.createLifetime(runner, tick, report)
  }

  #storeOf(store: JobStore): JobStore {
    const { faults, inspector } = this.#world
    const deliveries: JobStore['deliveries'] = async (ownerId) => {
      const check = inspector.checkDeliveriesRead(ownerId)
      const found = await store.deliveries(ownerId)
      check(found.map((it) => it.id))
      if (!faults.noOwner) return found
      return [...this.disk.rows('jobs'), ...this.disk.rows('early')].map((it) => ({ ...it, ownerId }))
    }
    return { ...store, deliveries }
  }

  #mutationStoreOf(store: JobStore<MutationJob>): JobStore<MutationJob> {
    const { noOwner, anyOrder } = this.#world.faults
    if (!noOwner && !anyOrder) return store
    return {
      ...store,
      deliveries: async (ownerId) => {
        await store.deliveries(ownerId)
        const all = this.disk.rows('acts').map((it) => ({ ...it, ownerId: noOwner ? ownerId : it.ownerId }))
        return all.filter((it) => it.ownerId === ownerId)
      },
    }
  }

  /** Ends everything of a page that was closed or killed. */
  removePage(page: Page): void {
    this.pages = this.pages.filter((it) => it !== page)
    for (const it of page.channels) it.open = false
    page.runner?.halt()
    this.locks.onPageEnd(page)
    this.disk.onPageEnd(page)
    this.#world.network.onPageEnd(page)
    this.#world.inspector.activeRequests.onPageEnd(page)
  }

  channelFor(page: Page) {
    const { timeline, random } = this.#world
    const others = (name: string, self: Channel) =>
      this.pages.flatMap((it) => it.channels).filter((it) => it.open && it.name === name && it !== self)
    return class BroadcastChannel {
      readonly #channel: Channel
      constructor(name: string) {
        this.#channel = { name, listeners: new Set(), open: true }
        page.channels.push(this.#channel)
      }
      postMessage(data: unknown): void {
        if (!page.alive) return
        const channels = others(this.#channel.name, this.#channel)
        if (channels.length === 0) return
        timeline.after(random.between(0, 3), () => {
          for (const it of channels) if (it.open) for (const listener of it.listeners) listener({ data })
        })
      }
      addEventListener(_type: string, listener: MessageListener): void {
        this.#channel.listeners.add(listener)
      }
      close(): void {
        this.#channel.open = false
        page.channels.splice(page.channels.indexOf(this.#channel), 1)
      }
    }
  }
}

async function handleMessage(world: World, page: Page, message: Message): Promise<void> {
  const { runner, lifetime } = page
  if (!runner || !lifetime || !page.alive) return
  try {
    if (message === 'nudge') await runner.nudge()
  } catch (error) {
    if (page.alive) world.inspector.reportError(error)
  }
  await lifetime.extend()
}
