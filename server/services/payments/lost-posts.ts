// Refunds the purchases of posts that were removed for good.
import { RETURNED_MS } from '#contract/payments/bought.ts'
import { listPaidPurchases, lockPayment } from '#server/store/payments/payments.ts'
import { lockRemoved } from '#server/store/posts/kept.ts'
import type { PaymentPorts } from './ports.ts'
import { refundLocked } from './refund.ts'

/** As the email to the buyer says it. */
const REASON = '購入した投稿を、運営が削除したため'

/**
 * Refunds what was paid for a post in the year before its removal, as the terms promise. It may be repeated.
 * @param removedAt ms since 1970
 */
export async function refundRemovedPost(
  ports: PaymentPorts,
  { postId, removedAt }: { readonly postId: string; readonly removedAt: number },
): Promise<void> {
  const since = new Date(removedAt - RETURNED_MS)
  for (const paymentId of await listPaidPurchases(ports.db, postId, since))
    await ports.transaction(async (unit) => {
      const payment = await lockPayment(unit.tx, paymentId)
      // An appeal may have restored it meanwhile.
      const isRemoved = await lockRemoved(unit.tx, postId, new Date(removedAt))
      if (payment && isRemoved) await refundLocked(ports, unit, payment, { by: 'rule', reason: REASON })
    })
}
