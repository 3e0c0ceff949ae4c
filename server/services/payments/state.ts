// Reads the state of a payment from its row.
import type { Payment } from '#server/rules/money/payment.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'

export const stateOfPayment = ({
  state,
  amount,
  chargeRef,
  refundedAmount,
}: Pick<PaymentRow, 'state' | 'amount' | 'chargeRef' | 'refundedAmount'>): Payment => ({
  state,
  amount,
  chargeId: chargeRef,
  refunded: refundedAmount,
})
