// Which payouts an admin may approve or put into a transfer file.
import type { PayoutStop } from '#contract/payouts/admin-payouts.ts'
import type { NameCheck } from '#contract/payouts/bank-account.ts'
import type { PayoutState } from '#contract/payouts/payouts.ts'

export interface ApprovalFacts {
  readonly state: PayoutState
  /** When it was approved last; null before. */
  readonly approvedAt: Date | null
  /** Whether sales of the creator moved no money, and others do. */
  readonly hasPracticeMoney: boolean
  /** Whether this admin may not act because they are the creator. */
  readonly isOwn: boolean
  /** Whether this admin has approved it and another one has to make the file. */
  readonly needsOther: boolean
  /** When the creator was suspended; null when they are not. */
  readonly suspendedAt: Date | null
  /** Undefined without a bank account. */
  readonly account:
    | {
        readonly nameCheck: NameCheck
        readonly changedAt: Date
        readonly heldUntil: Date | null
        /** Whether the directory of banks has its branch. */
        readonly isKnown: boolean
      }
    | undefined
}

/**
 * Why a requested payout cannot be approved, or an approved one cannot be put into a file; null when it can. An approval is
 * one of a creator and a name: a suspension or an account of another name after it needs a new one.
 * @param now ms since 1970
 */
export function stopOf(facts: ApprovalFacts, now: number): PayoutStop | null {
  const { state, account, suspendedAt } = facts
  if (state !== 'requested' && state !== 'approved') return null
  if (facts.hasPracticeMoney) return 'practice'
  if (facts.isOwn) return 'own'
  if (!account) return 'no_account'
  if (!account.isKnown) return 'unknown_branch'
  if (isHeld(account.heldUntil, now)) return 'held'
  if (state === 'requested') return null
  const since = facts.approvedAt?.getTime() ?? 0
  const isOther = account.nameCheck !== 'same' && account.changedAt.getTime() > since
  if (isOther || (suspendedAt !== null && suspendedAt.getTime() > since)) return 'approve_again'
  return facts.needsOther ? 'other_admin' : null
}

/** Whether a change of the account holds payouts now. @param now ms since 1970 */
export const isHeld = (heldUntil: Date | null, now: number): boolean =>
  heldUntil !== null && heldUntil.getTime() > now

/** Whether an approval is possible: of a requested payout, and again of an approved one that needs it. */
export const isApprovable = (state: PayoutState, stop: PayoutStop | null): boolean =>
  state === 'requested' ? stop === null : state === 'approved' && stop === 'approve_again'

/** Whether a payout is approved only by itself: the holder is not the verified name, or the creator is not present. */
export const isSingleOnly = (
  nameCheck: NameCheck | undefined,
  creatorState: 'present' | 'leaving' | 'suspended' | 'gone',
): boolean => nameCheck !== 'same' || creatorState !== 'present'
