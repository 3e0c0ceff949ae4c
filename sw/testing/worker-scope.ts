// A double of ServiceWorkerGlobalScope: collects listeners, fires events and records what they wait for.

/** What became of one event. */
export interface EventResult {
  /** Whether a listener extended the event. */
  readonly isExtended: boolean
  /** Resolves once everything that the event waits for has; rejects as the first of it does. */
  readonly done: Promise<void>
  /** What a fetch is answered with; undefined where the worker leaves it to the network. */
  readonly response: Promise<Response> | undefined
}

interface Listened {
  waitUntil(work: Promise<unknown>): void
  respondWith(answer: Promise<Response> | Response): void
}

class ExtendableEventHere extends Event {}
class FetchEventHere extends ExtendableEventHere {}

type Listener = (event: Listened) => void

const ORIGIN = 'https://todoke.test'

/** @param manifest the built files, as the build injects them */
export function workerScope(manifest: readonly { url: string; revision: string | null }[]) {
  const listeners = new Map<string, Listener[]>()
  const said: string[] = []
  const shown: { title: string; tag: string; close: () => void }[] = []
  const pages: { postMessage: (message: unknown) => void; visibilityState: string }[] = []
  const subscribed: unknown[] = []
  const scope = {
    __WB_MANIFEST: manifest,
    __WB_DISABLE_DEV_LOGS: true,
    location: new URL('/sw.js', ORIGIN),
    origin: ORIGIN,
    caches: cacheStorage(),
    navigator: { locks: turns(), onLine: true },
    // Its state when the worker is started by an event: it is installed already.
    serviceWorker: { state: 'installing' },
    skipWaiting: async () => void said.push('skipWaiting'),
    clients: {
      claim: async () => void said.push('claim'),
      matchAll: async () => pages,
      openWindow: async (path: string) => void said.push(`open ${path}`),
    },
    registration: {
      scope: `${ORIGIN}/`,
      sync: { register: async (tag: string) => void said.push(`sync ${tag}`) },
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
    const works: Promise<unknown>[] = []
    let response: Promise<Response> | undefined
    const event = Object.assign(type === 'fetch' ? new FetchEventHere(type) : new ExtendableEventHere(type), {
      ...fields,
      waitUntil: (work: Promise<unknown>) => void works.push(work),
      respondWith: (answer: Promise<Response> | Response) => void (response = Promise.resolve(answer)),
    })
    for (const listener of listeners.get(type) ?? []) listener(event)
    const done = Promise.all(works).then(() => undefined)
    done.catch(() => undefined)
    return { isExtended: works.length > 0, done, response }
  }
  return { scope, fire, said, shown, pages, subscribed, has: (type: string) => listeners.has(type) }
}

/** Globals that a worker has and Node has not, or has without a base for relative addresses. */
export function workerGlobals(origin: string) {
  return {
    ExtendableEvent: ExtendableEventHere,
    FetchEvent: FetchEventHere,
    __WB_DISABLE_DEV_LOGS: true,
    Request: class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(typeof input === 'string' ? new URL(input, origin) : input, init)
      }
    },
  }
}

/** The Cache API, as much of it as precaching needs. */
function cacheStorage() {
  const all = new Map<string, Map<string, Response>>()
  const keyOf = (request: Request | string) => (typeof request === 'string' ? request : request.url)
  const open = async (name: string) => {
    const kept = all.get(name) ?? new Map<string, Response>()
    all.set(name, kept)
    return {
      match: async (request: Request | string) => kept.get(keyOf(request))?.clone(),
      put: async (request: Request | string, response: Response) => void kept.set(keyOf(request), response),
      delete: async (request: Request | string) => kept.delete(keyOf(request)),
      keys: async () => [...kept.keys()].map((url) => new Request(url)),
    }
  }
  return {
    open,
    match: async (request: Request | string) => {
      for (const kept of all.values()) if (kept.has(keyOf(request))) return kept.get(keyOf(request))?.clone()
      return undefined
    },
    keys: async () => [...all.keys()],
    delete: async (name: string) => all.delete(name),
  }
}

/** Web Locks: one holder of a name at a time. */
function turns() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    request: (name: string, ...rest: unknown[]) => {
      const work = rest.at(-1) as () => Promise<unknown>
      const turn = (tails.get(name) ?? Promise.resolve()).then(work, work)
      tails.set(
        name,
        turn.catch(() => undefined),
      )
      return turn
    },
    query: async () => ({ held: [] }),
  }
}
