// The last payout of a deleted account: its terms, and what prevents it.
import type { BalanceReason } from '#contract/payouts/balance-names.ts'
import type { PayoutState } from '#contract/payouts/payouts.ts'

/** What a payout costs and has to be, whole yen. */
export interface PayoutTerms {
  readonly minimum: number
  readonly fee: number
}

/**
 * The last payout has no minimum, and the platform bears the fee of its transfer: nothing can be carried over to a next one, so that
 * each yen of the balance can be paid.
 */
export const lastTerms: PayoutTerms = { minimum: 1, fee: 0 }

export const termsOf = (isGone: boolean, usual: PayoutTerms): PayoutTerms => (isGone ? lastTerms : usual)

export interface DepartedFacts {
  /** The balance and what of it is of closed months, yen. */
  readonly total: number
  readonly available: number
  readonly deletedAt: Date
  readonly isSuspended: boolean
  /** When an admin had a payout requested all the same; null before. */
  readonly releasedAt: Date | null
  /** When the bank account was stored; null without one. */
  readonly accountAt: Date | null
  /** The latest payout of the person; undefined without one. */
  readonly latest:
    | {
        readonly state: PayoutState
        readonly requestedAt: Date
        readonly returnedAt: Date | null
      }
    | undefined
}

type Obstacle = Exclude<BalanceReason, 'left' | 'old'>

/**
 * What becomes of the balance of a deleted account. `settled`: it is zero. `waits`: a part is of a month that is not closed, so that one
 * payout takes all. `request`: the last payout is requested now. Others: why it cannot be, which is a task of the operator.
 */
export type LastStep = 'settled' | 'waits' | 'request' | Obstacle

export function lastStepOf(facts: DepartedFacts): LastStep {
  const { total, available, releasedAt, accountAt } = facts
  if (total === 0) return 'settled'
  if (total < 0) return 'negative'
  if (facts.isSuspended && releasedAt === null) return 'suspended'
  if (accountAt === null) return 'no_account'
  const ended = endOf(facts, accountAt)
  if (ended && (releasedAt === null || releasedAt < ended.at)) return ended.is
  return available < total ? 'waits' : 'request'
}

/** How the latest payout ended without paying, and when; undefined when another one may be requested. */
function endOf(
  { latest, deletedAt }: DepartedFacts,
  accountAt: Date,
): { readonly is: 'returned' | 'cancelled'; readonly at: Date } | undefined {
  if (latest?.state === 'returned' && latest.returnedAt && latest.returnedAt >= accountAt)
    return { is: 'returned', at: latest.returnedAt }
  // One of before was requested on other terms.
  if (latest?.state === 'cancelled' && latest.requestedAt >= deletedAt)
    return { is: 'cancelled', at: latest.requestedAt }
  return undefined
}

/** Obstacles that an admin can set aside, so that the payout is requested again. */
export const isReleasable = (step: LastStep): boolean =>
  step === 'suspended' || step === 'returned' || step === 'cancelled'
