// Publishes to the buyer's open apps that a payment changed.
import { personChannel } from '#contract/realtime/channels.ts'
import type { UnitOfWork } from '#server/services/transaction/unit-of-work.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'

export function publishPayment(
  { publish }: Pick<UnitOfWork, 'publish'>,
  { id, userId, postId, state }: Pick<PaymentRow, 'id' | 'userId' | 'postId' | 'state'>,
): void {
  const data = { payment_id: id, post_id: postId, state }
  publish({ channel: personChannel(userId), event: 'payment.changed', data })
}
