// Budget of one network over all accounts: wrong secrets and emails.
import type { FastifyRequest } from 'fastify'
import type { Counts } from '#server/adapters/counts.ts'
import { RateLimited } from '#server/http/errors.ts'
import { addressOf, type Budget } from '#server/http/limits.ts'

export interface NetworkBudget {
  /** Counts before anything is looked at, so that calls made side by side gain nothing. @throws RateLimited */
  spend(request: FastifyRequest): Promise<void>
  /** Counts as `spend` does, and refuses nothing. */
  note(request: FastifyRequest): Promise<void>
  /** What was spent turned out to be nothing that counts. */
  giveBack(request: FastifyRequest): Promise<void>
}

/** @param name of what is counted; routes that name the same share it */
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
    async note(request) {
      await counts.add(keyOf(request), budget.timeWindow)
    },
    giveBack: (request) => counts.takeBack(keyOf(request)),
  }
}
