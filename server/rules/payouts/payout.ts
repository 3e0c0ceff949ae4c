// The states of a payout to a creator, and the ledger lines of each step.
import type { PayoutState } from '#contract/payouts/payouts.ts'
import type { LedgerLine } from '#server/rules/money/ledger.ts'

export type PayoutEvent =
  | { readonly is: 'hold' | 'release' | 'approve' | 'cancel' | 'export' | 'void' | 'pay' }
  /** Of a payout to a person abroad. `withheld`: whole yen. */
  | { readonly is: 'tax'; readonly withheld: number }
  /** `keepsFee`: whether the bank charges the transfer all the same. */
  | { readonly is: 'return'; readonly keepsFee: boolean }

const next: Record<PayoutEvent['is'], Partial<Record<PayoutState, PayoutState>>> = {
  hold: { requested: 'held', approved: 'held' },
  release: { held: 'requested' },
  tax: { held: 'requested' },
  // Again, after the account or its owner has changed.
  approve: { requested: 'approved', approved: 'approved' },
  cancel: { requested: 'cancelled', held: 'cancelled', approved: 'cancelled' },
  export: { approved: 'exported' },
  // The bank has not executed the file: its transfers go into the next one.
  void: { exported: 'approved' },
  pay: { exported: 'paid' },
  return: { exported: 'returned', paid: 'returned' },
}

/** The state after an event; undefined when the event is not possible in this state. */
export const payoutStep = (state: PayoutState, event: PayoutEvent): PayoutState | undefined =>
  next[event.is][state]

export interface PayoutSum {
  readonly creatorId: string
  /** Taken from the balance, whole yen, more than the fee. */
  readonly amount: number
  /** Fee of the transfer that the creator bears, whole yen. */
  readonly fee: number
  /** Income tax that is kept of the transfer, whole yen; less than what the fee leaves. */
  readonly withheld: number
}

const line = (
  account: LedgerLine['account'],
  amount: number,
  creatorId: string | null = null,
): LedgerLine => ({
  account,
  creatorId,
  amount,
})
const nonZero = (lines: readonly LedgerLine[]) => lines.filter((it) => it.amount !== 0)

/** The amount leaves the balance: the platform owes the transfer to the creator, and its fee to the bank. */
export function requestLines({ creatorId, amount, fee }: Omit<PayoutSum, 'withheld'>): LedgerLine[] {
  return nonZero([
    line('creator_payable', amount, creatorId),
    line('payouts', -(amount - fee), creatorId),
    line('payout_fee', -fee),
  ])
}

/** A part of the transfer is owed to the tax office instead. */
export const withheldLines = ({ creatorId, withheld }: PayoutSum): LedgerLine[] =>
  nonZero([line('payouts', withheld, creatorId), line('withheld_tax', -withheld)])

/** The exact reverse of a request, and of what was withheld since: without a transfer no tax is owed. */
export const cancelLines = ({ creatorId, amount, fee, withheld }: PayoutSum): LedgerLine[] =>
  nonZero([
    line('creator_payable', -amount, creatorId),
    line('payouts', amount - fee - withheld, creatorId),
    line('payout_fee', fee),
    line('withheld_tax', withheld),
  ])

/** The bank has sent the transfer and charged its fee. */
export function paidLines({ creatorId, amount, fee, withheld }: PayoutSum): LedgerLine[] {
  const sent = amount - withheld
  return nonZero([line('payouts', sent - fee, creatorId), line('payout_fee', fee), line('bank', -sent)])
}

/**
 * The transfer is back in the creator's balance, with what was withheld of it: the next payout is decided anew.
 * @param from the state before: money that was sent comes back to the bank account of the platform
 * @param keepsFee whether the bank charges an unsent transfer all the same; that of a sent one is always gone
 */
export function returnLines(
  { creatorId, amount, fee, withheld }: PayoutSum,
  from: 'exported' | 'paid',
  keepsFee: boolean,
): LedgerLine[] {
  const transfer = amount - fee - withheld
  const back = line('creator_payable', -transfer - withheld, creatorId)
  const tax = line('withheld_tax', withheld)
  if (from === 'paid') return nonZero([line('bank', transfer), back, tax])
  if (!keepsFee) return cancelLines({ creatorId, amount, fee, withheld })
  return nonZero([
    line('payouts', transfer, creatorId),
    back,
    line('payout_fee', fee),
    line('bank', -fee),
    tax,
  ])
}
