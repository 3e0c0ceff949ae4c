// Budgets of one network over all accounts: wrong secrets and emails.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { RateLimited } from '#server/http/errors.ts'
import { addressOf, siteOf } from '#server/http/limit-keys.ts'
import { type Budget } from '#server/http/limits.ts'

/** As many networks of a /48 may spend their whole budget: a mobile carrier gives one to each telephone. */
const NETWORKS_OF_SITE = 20

export interface NetworkBudget {
  /** Counts a try before it is processed, so that concurrent tries are all counted. @throws RateLimited */
  spend(request: FastifyRequest): Promise<void>
  /** Counts a try as `spend` does, but never refuses it. */
  count(request: FastifyRequest): Promise<void>
  /** Uncounts a try that turned out not to count. */
  uncount(request: FastifyRequest): Promise<void>
}

/** @param name what is counted; budgets of one name share their count */
export function createNetworkBudget(
  counts: Counts,
  name: 'guesses' | 'letters',
  budget: Budget,
): NetworkBudget {
  /** Keys with their largest count: of the network, and of the site that it belongs to. */
  const keysOf = (request: FastifyRequest): (readonly [string, number])[] => {
    const site = siteOf(request)
    const own = [`${name} from ${addressOf(request)}`, budget.max] as const
    return site === undefined ? [own] : [own, [`${name} from site ${site}`, budget.max * NETWORKS_OF_SITE]]
  }
  const add = (request: FastifyRequest) =>
    Promise.all(
      keysOf(request).map(async ([key, max]) => ({ max, ...(await counts.add(key, budget.timeWindow)) })),
    )
  return {
    async spend(request) {
      const spent = (await add(request)).filter(({ current, max }) => current > max)
      if (spent.length > 0) throw new RateLimited(Math.max(...spent.map((it) => it.ttl)))
    },
    async count(request) {
      await add(request)
    },
    async uncount(request) {
      await Promise.all(keysOf(request).map(([key]) => counts.subtract(key)))
    },
  }
}
