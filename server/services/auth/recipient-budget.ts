// Budgets of one email address, over all networks and accounts.
import type { Counts } from '#server/adapters/counts.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import { RateLimited } from '#server/http/errors.ts'
import type { Budget } from '#server/http/limits.ts'

/**
 * What is counted: a flood harms its recipient, from wherever it comes. `registration`: links, which visitors request. `change`: codes
 * for a new address, which members request. `owner`: notices to the owner of an account that its address was typed. `suspension`: links
 * for a suspended person who signs in.
 */
export type Emails = 'registration' | 'change' | 'owner' | 'suspension'

export interface RecipientBudget {
  /** Counts an email before it is enqueued. @returns whether it may be sent */
  allows(address: string): Promise<boolean>
  /** As `allows`. @throws RateLimited when it may not be sent */
  spend(address: string): Promise<void>
}

interface Ports {
  readonly counts: Counts
  readonly secrets: Pick<Secrets, 'mac'>
}

export function createRecipientBudget(
  { counts, secrets }: Ports,
  emails: Emails,
  { max, timeWindow }: Budget,
): RecipientBudget {
  // Counts are kept in Redis, which needs no addresses.
  const add = (address: string) => counts.add(`${emails} to ${secrets.mac('address', address)}`, timeWindow)
  return {
    allows: async (address) => (await add(address)).current <= max,
    async spend(address) {
      const { current, ttl } = await add(address)
      if (current > max) throw new RateLimited(ttl)
    },
  }
}
