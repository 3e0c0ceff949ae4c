// Rate limits per address, and limits of body sizes.
import fastifyRateLimit, { type FastifyRateLimitStore, normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Count, Counts } from '#server/adapters/counts.ts'
import { ApiError } from './errors.ts'

export interface Budget {
  readonly max: number
  /** Milliseconds. */
  readonly timeWindow: number
}

export interface RateLimit extends Budget {
  readonly hook?: 'onRequest' | 'preHandler'
  readonly keyGenerator?: (request: FastifyRequest) => string
}

export interface ThrottleSettings {
  /** This many tries are answered at once. */
  readonly free: number
  /** The next one waits this long, ms, and each after it twice as long as the one before … */
  readonly first: number
  /** … up to this, ms. */
  readonly longest: number
  /** Tries are remembered this long from the first, ms. */
  readonly window: number
}

export interface Limits {
  readonly general: RateLimit
  readonly uploads: RateLimit
  /** Uploads begun; each address counts for itself. */
  readonly uploadsBegun: RateLimit
  readonly signIn: RateLimit
  /** How long a password that is tried again and again waits for its verdict. */
  readonly throttle: ThrottleSettings
  /** Wrong passwords and codes of one network, whichever accounts they were for. */
  readonly guesses: Budget
  /** Wrong passwords of one account, from any network; each remembered device counts separately. */
  readonly accountFailures: Budget
  readonly signUp: RateLimit
  /** Requested emails: each may go to a stranger's mailbox. */
  readonly emails: RateLimit
  /** Emails that one network asks for, whichever addresses they go to. */
  readonly emailsOfNetwork: Budget
  /** Password tries for a known person: of a session, or of a registration's link. */
  readonly validation: RateLimit
  /** Passkeys and sessions looked through and ended after a reset, by its token. */
  readonly resetReview: RateLimit
  /** Failed files put back to work; each may keep a child process busy for minutes. */
  readonly retries: RateLimit
  /** Follows, mutes and blocks, done and undone. */
  readonly relations: RateLimit
  readonly reports: RateLimit
  /** One's profile and its pictures. */
  readonly profile: RateLimit
  /** Handles checked during typing. */
  readonly handles: RateLimit
  /** Searches; each reads a part of the index. */
  readonly search: RateLimit
  /** Suggestions during typing. */
  readonly suggestions: RateLimit
  /** Pictures of share cards; each is rendered again. */
  readonly sharePictures: RateLimit
  /** Likes and their removals. */
  readonly likes: RateLimit
  /** Comments written. */
  readonly comments: RateLimit
  /** Released posts changed or deleted. */
  readonly edits: RateLimit
  /** Devices subscribed and tested: each is a call to another server. */
  readonly push: RateLimit
  /** Live channels joined; a page that comes back joins all of its own at once. */
  readonly joins: RateLimit
  /** Live messages handed in by other processes of the operator's. */
  readonly published: RateLimit
}

const MINUTE = 60_000

/** What a person cannot reach and a script soon does. */
export const usualLimits: Limits = {
  general: { max: 3000, timeWindow: MINUTE },
  uploads: { max: 12_000, timeWindow: MINUTE },
  uploadsBegun: { max: 600, timeWindow: MINUTE },
  signIn: { max: 10, timeWindow: 60 * MINUTE },
  throttle: { free: 3, first: 1000, longest: 8000, window: 60 * MINUTE },
  guesses: { max: 100, timeWindow: 60 * MINUTE },
  accountFailures: { max: 50, timeWindow: 60 * MINUTE },
  signUp: { max: 5, timeWindow: 30 * MINUTE },
  emails: { max: 5, timeWindow: 60 * MINUTE },
  emailsOfNetwork: { max: 30, timeWindow: 60 * MINUTE },
  validation: { max: 10, timeWindow: 10 * MINUTE },
  resetReview: { max: 100, timeWindow: 15 * MINUTE },
  retries: { max: 20, timeWindow: 60 * MINUTE },
  relations: { max: 300, timeWindow: 10 * MINUTE },
  reports: { max: 30, timeWindow: 60 * MINUTE },
  profile: { max: 60, timeWindow: 10 * MINUTE },
  handles: { max: 120, timeWindow: 10 * MINUTE },
  search: { max: 120, timeWindow: MINUTE },
  suggestions: { max: 300, timeWindow: MINUTE },
  sharePictures: { max: 120, timeWindow: MINUTE },
  likes: { max: 120, timeWindow: MINUTE },
  comments: { max: 20, timeWindow: MINUTE },
  edits: { max: 60, timeWindow: 10 * MINUTE },
  push: { max: 30, timeWindow: 10 * MINUTE },
  joins: { max: 600, timeWindow: MINUTE },
  published: { max: 30_000, timeWindow: MINUTE },
}

const boundless: RateLimit = { max: Number.MAX_SAFE_INTEGER, timeWindow: MINUTE }

/** For tests, which call more often than people. */
export const noLimits: Limits = {
  general: boundless,
  uploads: boundless,
  uploadsBegun: boundless,
  signIn: boundless,
  throttle: { free: Number.MAX_SAFE_INTEGER, first: 0, longest: 0, window: MINUTE },
  guesses: boundless,
  accountFailures: boundless,
  signUp: boundless,
  emails: boundless,
  emailsOfNetwork: boundless,
  validation: boundless,
  resetReview: boundless,
  retries: boundless,
  relations: boundless,
  reports: boundless,
  profile: boundless,
  handles: boundless,
  search: boundless,
  suggestions: boundless,
  sharePictures: boundless,
  likes: boundless,
  comments: boundless,
  edits: boundless,
  push: boundless,
  joins: boundless,
  published: boundless,
}

/**
 * Where a call comes from, as limits count it: IPv6 by its /64, which one household has all of, and an IPv4 address
 * that comes in IPv6's clothes as what it is.
 */
export function addressOf(request: FastifyRequest): string {
  return networkOf(request.ip)
}

/** As `addressOf`, of an IP address. */
export function networkOf(ip: string): string {
  return normalizeIP(ip, 64)
}

/** The address typed, and the device called from; the network where a browser has no device cookie. */
export function emailKey(request: FastifyRequest): string {
  const body = request.body as { email?: unknown } | null | undefined
  const email = typeof body?.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : ''
  return `${request.deviceId ?? addressOf(request)} ${email}`
}

/** Counts by address typed and device or network, so that one caller does not lock out another. */
export function perEmail(limit: RateLimit): RateLimit {
  return { ...limit, hook: 'preHandler', keyGenerator: emailKey }
}

/** As `perEmail`; a request with the token of an email counts for that email, so that others do not use it up. */
export function perEmailOrMail(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator(request) {
      const token = (request.body as { mail_token?: unknown } | null | undefined)?.mail_token
      return typeof token === 'string' ? `mail ${token.slice(0, 100)}` : emailKey(request)
    },
  }
}

/** Counts by one text of the body, wherever the calls come from: for secrets and ids that only their owner has. */
export function perBodyField(limit: RateLimit, field: string): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator(request) {
      const given = (request.body as Record<string, unknown> | null | undefined)?.[field]
      return `${field} ${typeof given === 'string' ? given.slice(0, 100) : addressOf(request)}`
    },
  }
}

/** Counts per person, from wherever they call. */
export function perPerson(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator: (request) => request.viewer?.id ?? addressOf(request),
  }
}

/** The plugin's way to our counts. */
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
