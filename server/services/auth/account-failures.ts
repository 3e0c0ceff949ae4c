// Limits wrong passwords of one account over all networks. Each remembered device has its own count.
import type { Counts } from '#server/adapters/counts.ts'
import { RateLimited } from '#server/http/errors.ts'
import type { Budget } from '#server/http/limits.ts'

/** The account's address as typed, and the device if the account remembers it. */
export interface Attempt {
  /** In lower case; addresses without an account are counted too. */
  readonly email: string
  readonly rememberedDevice: string | undefined
}

export interface AccountFailures {
  /**
   * Counts an attempt before the password is compared, so that concurrent attempts are all counted.
   * @throws RateLimited `sign_in_paused` when the account has reached its failures of this hour
   */
  spend(attempt: Attempt): Promise<void>
  /** Uncounts an attempt whose password was right. */
  uncount(attempt: Attempt): Promise<void>
}

const keyOf = ({ email, rememberedDevice }: Attempt) =>
  rememberedDevice === undefined ? `failures of ${email}` : `failures of ${email} on ${rememberedDevice}`

export function createAccountFailures(counts: Counts, budget: Budget): AccountFailures {
  return {
    async spend(attempt) {
      const { current, ttl } = await counts.add(keyOf(attempt), budget.timeWindow)
      if (current <= budget.max) return
      throw new RateLimited(ttl, 'sign_in_paused')
    },
    uncount: (attempt) => counts.subtract(keyOf(attempt)),
  }
}
