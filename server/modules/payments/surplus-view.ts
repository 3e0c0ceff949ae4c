// A charge that paid for nothing, as its buyer sees it.
import type { SurplusOfPayment, SurplusReason } from '#contract/payments/surplus.ts'

interface Row {
  readonly amount: number
  readonly reason: SurplusReason | null
  readonly chargedAt: Date
  readonly returnedAt: Date | null
}

export const surplusView = ({ amount, reason, chargedAt, returnedAt }: Row): SurplusOfPayment => ({
  amount,
  reason,
  charged_at: chargedAt.toISOString(),
  returned_at: returnedAt?.toISOString() ?? null,
})
