// Messages about a purchase, a refund, and a charge that paid for nothing.
import type { SurplusReason } from '#contract/payments/surplus.ts'
import type { PaymentRow } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'
import { findPost } from '#server/store/posts/posts.ts'
import type { PaymentUnit } from './ports.ts'

/** The title of the post that a payment is for; nothing without one, and for a plan. */
async function titleOf(tx: PaymentUnit['tx'], postId: string | null): Promise<{ title?: string }> {
  const post = postId === null ? undefined : await findPost(tx, postId)
  return post && post.deletedAt === null && post.title !== '' ? { title: post.title } : {}
}

/** @param now ms since 1970 */
export async function announcePurchase(
  { tx, notify, email }: PaymentUnit,
  { id, userId, creatorId, postId, amount }: PaymentRow,
  { now, publicUrl }: { readonly now: number; readonly publicUrl: string },
): Promise<void> {
  if (postId === null) return
  await notify({ is: 'buy_post', by: userId, to: creatorId, postId })
  const [buyer, creator] = [await findUser(tx, userId), await findUser(tx, creatorId)]
  if (!buyer || !creator) return
  const url = `${publicUrl}/post/${postId}`
  await email(
    { email: buyer.email, name: buyer.name },
    {
      is: 'purchase',
      creator: creator.name,
      ...(await titleOf(tx, postId)),
      amount,
      at: now,
      paymentId: id,
      url,
    },
  )
}

/** Emails the buyer that a charge paid for nothing and is returned, unless the account is deleted. */
export async function announceSurplus(
  { tx, email }: PaymentUnit,
  { id, userId, creatorId, postId, kind, amount }: PaymentRow,
  { reason, now }: { readonly reason: SurplusReason; readonly now: number },
): Promise<void> {
  const [buyer, creator] = [await findUser(tx, userId), await findUser(tx, creatorId)]
  if (!buyer || buyer.deletedAt !== null || !creator) return
  const title = await titleOf(tx, postId)
  await email(
    { email: buyer.email, name: buyer.name },
    { is: 'surplus', creator: creator.name, of: kind, ...title, amount, reason, at: now, paymentId: id },
  )
}

/** Emails the buyer that a payment is refunded, or a part of it, unless the account is deleted. @param reason of the admin, or '' */
export async function announceRefund(
  { tx, email }: PaymentUnit,
  { id, userId, creatorId, postId, kind, amount }: PaymentRow,
  { now, isPart, reason }: { readonly now: number; readonly isPart: boolean; readonly reason: string },
): Promise<void> {
  const [buyer, creator] = [await findUser(tx, userId), await findUser(tx, creatorId)]
  if (!buyer || buyer.deletedAt !== null || !creator) return
  const title = await titleOf(tx, postId)
  await email(
    { email: buyer.email, name: buyer.name },
    {
      is: 'refund',
      creator: creator.name,
      of: kind,
      ...title,
      amount,
      isPart,
      reason,
      at: now,
      paymentId: id,
    },
  )
}
