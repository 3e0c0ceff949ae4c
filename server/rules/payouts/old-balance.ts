// What becomes of a balance older than six months of a person who is present.
import type { OldBalanceStep, PayoutState } from '#contract/payouts/payouts.ts'
import { monthAfter, monthOf } from '#server/rules/money/periods.ts'
import { lastTerms, type PayoutTerms } from './last-payout.ts'

/** The part of a balance of this month's end and before is older than six months: each sale of it was closed six months ago. */
const OLD_MONTHS = -7

/** @param now ms since 1970 @returns `YYYY-MM` */
export const oldMonth = (now: number): string => monthAfter(monthOf(now), OLD_MONTHS)

export interface OldFacts {
  readonly isSuspended: boolean
  readonly isIdentified: boolean
  /** When the bank account was stored; null without one. */
  readonly accountAt: Date | null
  /** Whether a payout of this month is under way or paid. */
  readonly hasPayoutOfMonth: boolean
  /** The present month, `YYYY-MM`. */
  readonly month: string
  /** The latest payout of the person; undefined without one. */
  readonly latest:
    | { readonly state: PayoutState; readonly month: string; readonly returnedAt: Date | null }
    | undefined
}

export function oldStepOf({ latest, accountAt, ...facts }: OldFacts): OldBalanceStep {
  if (facts.isSuspended) return 'suspended'
  if (accountAt === null) return 'no_account'
  if (latest?.state === 'returned' && latest.returnedAt && latest.returnedAt >= accountAt) return 'returned'
  if (!facts.isIdentified) return 'unidentified'
  if (facts.hasPayoutOfMonth) return 'waits'
  // Staff had a reason, which may hold at the next hour too.
  return latest?.state === 'cancelled' && latest.month === facts.month ? 'cancelled' : 'request'
}

/** A balance below the minimum could never be paid with its fee: the platform bears it, as for the last payout. */
export const oldTerms = (available: number, usual: PayoutTerms): PayoutTerms =>
  available < usual.minimum ? lastTerms : usual

/** Steps of which the creator gets an email. `suspended` and `cancelled` were told by what made them, and need nothing of the creator. */
export type EmailedStep = Exclude<OldBalanceStep, 'waits' | 'suspended' | 'cancelled'>

export const isEmailed = (step: OldBalanceStep): step is EmailedStep =>
  step !== 'waits' && step !== 'suspended' && step !== 'cancelled'
