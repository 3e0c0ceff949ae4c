// Reads the state of a payment from its row.
import type { Payment } from '#server/rules/money/payment.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'

export const stateOfPayment = ({
  state,
  amount,
  chargeGid,
  refundedAmount,
}: Pick<PaymentRow, 'state' | 'amount' | 'chargeGid' | 'refundedAmount'>): Payment => ({
  state,
  amount,
  chargeId: chargeGid,
  refunded: refundedAmount,
})
