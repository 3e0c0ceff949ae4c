// Budget of one network over all accounts: wrong secrets and emails.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { RateLimited } from '#server/http/errors.ts'
import { addressOf, type Budget } from '#server/http/limits.ts'

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
  const keyOf = (request: FastifyRequest) => `${name} from ${addressOf(request)}`
  return {
    async spend(request) {
      const { current, ttl } = await counts.add(keyOf(request), budget.timeWindow)
      if (current > budget.max) throw new RateLimited(ttl)
    },
    async count(request) {
      await counts.add(keyOf(request), budget.timeWindow)
    },
    uncount: (request) => counts.subtract(keyOf(request)),
  }
}
