// A double of ServiceWorkerGlobalScope: collects listeners, fires events and records what they wait for.

/** The result of one event. */
export interface EventResult {
  /** Whether a listener extended the event. */
  readonly isExtended: boolean
  /** Resolves when all promises that extend the event have resolved; rejects with the first that rejects. */
  readonly done: Promise<void>
  /** The answer to a fetch; undefined if the worker leaves the request to the network. */
  readonly response: Promise<Response> | undefined
}

interface ListenedEvent {
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response> | Response): void
}

class FakeExtendableEvent extends Event {}
class FakeFetchEvent extends FakeExtendableEvent {}

type Listener = (event: ListenedEvent) => void

const ORIGIN = 'https://todoke.test'

/**
 * @param manifest the built files, as the build injects them
 * @param state of this version: only with `activated` the module starts the queue by itself
 */
export function workerScope(
  manifest: readonly { url: string; revision: string | null }[],
  state: ServiceWorkerState,
) {
  const listeners = new Map<string, Listener[]>()
  const calls: string[] = []
  const shown: { title: string; tag: string; close: () => void }[] = []
  const pages: { postMessage: (message: unknown) => void; visibilityState: string }[] = []
  const subscribed: unknown[] = []
  const scope = {
    __WB_MANIFEST: manifest,
    __WB_DISABLE_DEV_LOGS: true,
    location: new URL('/sw.js', ORIGIN),
    origin: ORIGIN,
    caches: cacheStorage(),
    navigator: { locks: fakeLocks(), onLine: true },
    serviceWorker: { state },
    skipWaiting: async () => void calls.push('skipWaiting'),
    clients: {
      claim: async () => void calls.push('claim'),
      matchAll: async () => pages,
      openWindow: async (path: string) => void calls.push(`open ${path}`),
    },
    registration: {
      scope: `${ORIGIN}/`,
      sync: { register: async (tag: string) => void calls.push(`sync ${tag}`) },
      pushManager: { subscribe: async (options: unknown) => void subscribed.push(options) },
      getNotifications: async () => [...shown],
      showNotification: async (title: string, { tag = '' }: NotificationOptions) => {
        const it = { title, tag, close: () => void shown.splice(shown.indexOf(it), 1) }
        shown.push(it)
      },
    },
    addEventListener: (type: string, listener: Listener) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
  }
  /** Fires an event with these fields at every listener. */
  function fire(type: string, fields: object = {}): EventResult {
    const promises: Promise<unknown>[] = []
    let response: Promise<Response> | undefined
    const event = Object.assign(type === 'fetch' ? new FakeFetchEvent(type) : new FakeExtendableEvent(type), {
      ...fields,
      waitUntil: (work: Promise<unknown>) => void promises.push(work),
      respondWith: (answer: Promise<Response> | Response) => void (response = Promise.resolve(answer)),
    })
    for (const listener of listeners.get(type) ?? []) listener(event)
    const done = Promise.all(promises).then(() => undefined)
    done.catch(() => undefined)
    return { isExtended: promises.length > 0, done, response }
  }
  return { scope, fire, calls, shown, pages, subscribed, has: (type: string) => listeners.has(type) }
}

/** Globals of a worker that Node lacks, and `Request` with a base for relative addresses. */
export function workerGlobals(origin: string) {
  return {
    ExtendableEvent: FakeExtendableEvent,
    FetchEvent: FakeFetchEvent,
    __WB_DISABLE_DEV_LOGS: true,
    Request: class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, origin) : input, init)
      }
    },
  }
}

/** A fake of the part of the Cache API that precaching uses. */
function cacheStorage() {
  const all = new Map<string, Map<string, Response>>()
  const keyOf = (request: Request | string) => (typeof request === 'string' ? request : request.url)
  const open = async (name: string) => {
    const cached = all.get(name) ?? new Map<string, Response>()
    all.set(name, cached)
    return {
      match: async (request: Request | string) => cached.get(keyOf(request))?.clone(),
      put: async (request: Request | string, response: Response) => void cached.set(keyOf(request), response),
      delete: async (request: Request | string) => cached.delete(keyOf(request)),
      keys: async () => [...cached.keys()].map((url) => new Request(url)),
    }
  }
  return {
    open,
    match: async (request: Request | string) => {
      for (const cached of all.values())
        if (cached.has(keyOf(request))) return cached.get(keyOf(request))?.clone()
      return undefined
    },
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  }
}

/** A fake of Web Locks: one holder of a name at a time. */
function fakeLocks() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as () => Promise<unknown>
      const run = (tails.get(name) ?? Promise.resolve()).then(work, work)
      tails.set(
        name,
        run.catch(() => undefined),
      )
      return run
    },
    query: async () => ({ held: [] }),
  }
}
