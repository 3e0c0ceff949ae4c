// One page or worker of a simulated browser: the product's code with its own globals.
import { SimBlob, SimFile, SimForm, sha256 } from './bytes.ts'
import type { Browser } from './browser.ts'
import type { Owner } from './disk.ts'
import type { Program } from './program.ts'
import type { World } from '#sw/sim/world.ts'

export type Product = typeof import('./entry.ts')

/** One error for all aborts: creating an error with its stack takes longer than the rest of the abort. */
const aborted = new DOMException('This operation was aborted', 'AbortError')
class PageAbortController extends AbortController {
  override abort(reason: unknown = aborted): void {
    super.abort(reason)
  }
}

const never = new Promise<never>(() => {})

export class Page implements Owner {
  alive = true
  /** A newer build has taken over. */
  isOld = false
  readonly kind: 'worker' | 'tab'
  readonly product: Product
  /** Resolves when the page has ended. */
  readonly ended: Promise<void>
  readonly channels: Channel[] = []
  /** The queue, where this page runs it. */
  runner: ReturnType<Product['createRunner']> | undefined
  lifetime: ReturnType<Product['createLifetime']> | undefined
  readonly #world: World
  readonly #browser: Browser
  #resolveEnded = () => {}

  constructor(world: World, browser: Browser, kind: Page['kind'], program: Program<Product>) {
    this.#world = world
    this.#browser = browser
    this.kind = kind
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve))
    this.product = program(this.#globals())
  }

  maybeKill(): void {
    if (this.alive && this.#world.random.chance(this.#world.killRate)) this.kill()
  }

  /** The page is closed, killed or crashes: all its work ends. */
  kill(): void {
    if (!this.alive) return
    this.alive = false
    this.#browser.removePage(this)
    this.#resolveEnded()
  }

  /** The result for a living page; promises of a page that has ended never settle. */
  async #whileAlive<T>(work: Promise<T>): Promise<T> {
    try {
      const value = await work
      return this.alive ? value : await never
    } catch (error) {
      if (!this.alive) return never
      throw error
    }
  }

  #fetch(url: string, init: RequestInit): Promise<Response> {
    const { network, inspector } = this.#world
    this.maybeKill()
    if (!this.alive) return never
    inspector.activeRequests.enter(this, url, init.body)
    const answered = network
      .fetch(this, url, init)
      .finally(() => inspector.activeRequests.leave(this, url, init.body))
    return this.#whileAlive(
      answered.then((response) => {
        this.maybeKill()
        return response
      }),
    )
  }

  #globals(): Record<string, unknown> {
    const { timeline, random, network } = this.#world
    return {
      ...this.#browser.disk.globalsFor(this),
      BroadcastChannel: this.#browser.channelFor(this),
      navigator: {
        vendor: '',
        locks: this.#browser.locks.globalFor(this),
        get onLine() {
          return network.online
        },
      },
      ...timersOf(this, timeline),
      fetch: (url: string, init: RequestInit) => this.#fetch(url, init),
      AbortController: PageAbortController,
      Date: dateOf(timeline),
      Math: Object.create(Math, { random: { value: random.next } }) as Math,
      crypto: cryptoOf(random),
      Blob: SimBlob,
      File: SimFile,
      FormData: SimForm,
      console: { ...console, error: () => {}, warn: () => {} },
    }
  }
}

/** Timers of one page: none runs after its end. */
function timersOf(page: Page, timeline: World['timeline']) {
  let timers = 0
  const running = new Map<number, () => void>()
  const setTimeout = (work: () => void, ms = 0): number => {
    const id = ++timers
    const stop = timeline.after(ms, () => {
      running.delete(id)
      if (page.alive) work()
    })
    running.set(id, stop)
    return id
  }
  const clearTimeout = (id: number | undefined): void => {
    if (id === undefined) return
    running.get(id)?.()
    running.delete(id)
  }
  const setInterval = (work: () => void, ms: number): number => {
    const id = ++timers
    const schedule = () => {
      running.set(
        id,
        timeline.after(ms, () => {
          if (!page.alive || !running.has(id)) return
          schedule()
          work()
        }),
      )
    }
    schedule()
    return id
  }
  return { setTimeout, clearTimeout, setInterval, clearInterval: clearTimeout }
}

function dateOf(timeline: World['timeline']) {
  return class PageDate extends Date {
    constructor(...args: unknown[]) {
      super(...((args.length > 0 ? args : [timeline.now()]) as [number]))
    }
    static override now(): number {
      return timeline.now()
    }
  }
}

function cryptoOf(random: World['random']) {
  return {
    getRandomValues: (bytes: Uint8Array) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = random.between(0, 255)
      return bytes
    },
    randomUUID: () => uuid(random.next),
    subtle: { digest: async (_name: string, bytes: Uint8Array) => sha256(new Uint8Array(bytes)).buffer },
  }
}

function uuid(next: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

export type MessageListener = (event: { data: unknown }) => void

/** The part of a BroadcastChannel that the product uses. */
export interface Channel {
  readonly name: string
  readonly listeners: Set<MessageListener>
  open: boolean
}
