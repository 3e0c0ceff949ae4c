// Counts requests against their rate limits, by the plugin of Fastify.
import fastifyRateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit'
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Count, Counts } from '#server/adapters/counts.ts'
import { ApiError } from './errors.ts'
import { addressOf } from './limit-keys.ts'
import { type Limits } from './limits.ts'

/** Adapter from the plugin to `Counts`. */
class Store implements FastifyRateLimitStore {
  readonly #counts: Counts
  readonly #prefix: string

  constructor(counts: Counts, prefix: string) {
    this.#counts = counts
    this.#prefix = prefix
  }

  incr(key: string, done: (error: Error | null, count?: Count) => void, window = 0): void {
    this.#counts.add(this.#prefix + key, window).then(
      (count) => done(null, count),
      (error: Error) => done(error),
    )
  }

  /** Each route with its own limit counts separately. The plugin's type lacks `routeInfo`. */
  child(options: object): Store {
    const { routeInfo } = options as { routeInfo: RouteOptions }
    return new Store(this.#counts, `${String(routeInfo.method)} ${routeInfo.url} `)
  }
}

export async function limitRates(app: FastifyInstance, limits: Limits, counts: Counts): Promise<void> {
  await app.register(fastifyRateLimit, {
    ...limits.general,
    global: true,
    keyGenerator: addressOf,
    store: class extends Store {
      constructor() {
        super(counts, '')
      }
    },
    errorResponseBuilder: () => new ApiError('rate_limited'),
  })
}
