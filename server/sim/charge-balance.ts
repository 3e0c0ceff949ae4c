// What became of one charge, by its entries in the ledger.
import type { StoredCharge } from './observed.ts'

/** Whole yen. */
export interface ChargeBalance {
  /** Refunded to the buyer, and of it returned by the provider. */
  readonly refunded: number
  readonly returned: number
  /** Taken by the card company and not given back. */
  readonly taken: number
  /** Borne by the platform. */
  readonly covered: number
  /** What is left of the charge. */
  readonly left: number
}

export function balanceOfCharge({ amount, entries }: StoredCharge): ChargeBalance {
  const sum = (causes: readonly string[], account: string): number =>
    (entries ?? [])
      .filter((it) => causes.includes(it.cause))
      .flatMap((it) => it.lines)
      .filter((it) => it.account === account)
      .reduce((total, it) => total + it.amount, 0)
  const refunded = 0 - sum(['refund'], 'refunds')
  const taken = 0 - sum(['dispute', 'dispute_won'], 'provider_receivable')
  return {
    refunded,
    returned: sum(['refund_paid'], 'refunds'),
    taken,
    covered: sum(['dispute_covered'], 'chargeback_loss'),
    left: amount - refunded - taken,
  }
}
