// How often one address may call, and how large a body may be.
import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'

export interface RateLimit {
  readonly max: number
  /** Milliseconds. */
  readonly timeWindow: number
  readonly hook?: 'onRequest' | 'preHandler'
  readonly keyGenerator?: (request: FastifyRequest) => string
}

export interface Limits {
  readonly general: RateLimit
  readonly uploads: RateLimit
  /** Uploads begun; each address counts for itself. */
  readonly uploadsBegun: RateLimit
  readonly signIn: RateLimit
  readonly signUp: RateLimit
  /** Letters asked for: each lands in a box that may be a stranger's. */
  readonly letters: RateLimit
  /** Passwords tried where somebody is known already: a session, a registration's link. */
  readonly validation: RateLimit
  /** Failed files put back to work; each may keep a child process busy for minutes. */
  readonly retries: RateLimit
}

const MINUTE = 60_000

/** What a person cannot reach and a script soon does. */
export const usualLimits: Limits = {
  general: { max: 3000, timeWindow: MINUTE },
  uploads: { max: 12_000, timeWindow: MINUTE },
  uploadsBegun: { max: 600, timeWindow: MINUTE },
  signIn: { max: 10, timeWindow: 60 * MINUTE },
  signUp: { max: 5, timeWindow: 30 * MINUTE },
  letters: { max: 5, timeWindow: 60 * MINUTE },
  validation: { max: 10, timeWindow: 10 * MINUTE },
  retries: { max: 20, timeWindow: 60 * MINUTE },
}

const boundless: RateLimit = { max: Number.MAX_SAFE_INTEGER, timeWindow: MINUTE }

/** For tests, which call more often than people. */
export const noLimits: Limits = {
  general: boundless,
  uploads: boundless,
  uploadsBegun: boundless,
  signIn: boundless,
  signUp: boundless,
  letters: boundless,
  validation: boundless,
  retries: boundless,
}

/** Counts sign-ins by address typed and address called from, so that nobody locks out another. */
export function perEmail(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator(request) {
      const body = request.body as { email?: unknown } | null | undefined
      const email = typeof body?.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : ''
      return `${request.ip} ${email}`
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
      return `${field} ${typeof given === 'string' ? given.slice(0, 100) : request.ip}`
    },
  }
}

/** Counts per person, from wherever they call. */
export function perPerson(limit: RateLimit): RateLimit {
  return {
    ...limit,
    hook: 'preHandler',
    keyGenerator: (request) => request.viewer?.id ?? request.ip,
  }
}

export async function limitRates(app: FastifyInstance, limits: Limits): Promise<void> {
  await app.register(fastifyRateLimit, {
    ...limits.general,
    global: true,
    errorResponseBuilder: () => new ApiError('rate_limited'),
  })
}
