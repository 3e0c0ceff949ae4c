// The ledger lines of a balance that an admin clears by hand.
import type { ClearingKind } from '#contract/payouts/balance-names.ts'
import type { LedgerLine } from '#server/rules/money/ledger.ts'

export interface Clearing {
  readonly creatorId: string
  readonly kind: ClearingKind
  /** Whole yen, positive. */
  readonly amount: number
}

/** Whether it brings the balance nearer to zero, and not beyond. @param balance yen */
export const isClearing = ({ kind, amount }: Omit<Clearing, 'creatorId'>, balance: number): boolean =>
  amount > 0 && amount <= (kind === 'paid' ? balance : -balance)

/**
 * `paid`: the bank account of the platform paid the creator. `repaid`: the creator paid it. `borne`: the platform bears what the
 * creator owed, as it does for a lost dispute.
 */
export function clearingLines({ creatorId, kind, amount }: Clearing): LedgerLine[] {
  const sign = kind === 'paid' ? 1 : -1
  const account = kind === 'borne' ? 'chargeback_loss' : 'bank'
  return [
    { account: 'creator_payable', creatorId, amount: sign * amount },
    { account, creatorId: null, amount: -sign * amount },
  ]
}
