// Applies a charge to the payment of a post.
import type { SurplusReason } from '#contract/payments/surplus.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'
import type { Db } from '#server/store/database.ts'
import { findChargeByRef } from '#server/store/payments/charges.ts'
import { hasPaidPost, holdPost, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { publishPayment } from './live.ts'
import type { PaymentUnit } from './ports.ts'
import { announcePurchase } from './purchase-messages.ts'
import { addSale, type Charge, recordCharge, recordSurplus } from './surplus.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'

/** `foreign`: another payment has a charge with this number. */
export type ChargeOutcome = 'granted' | 'unchanged' | 'surplus' | 'foreign'

/**
 * Applies a charge in the transaction that has locked its payment.
 * @param now ms since 1970
 * @param publicUrl for the links of the email
 */
export async function applyCharge(
  unit: PaymentUnit,
  payment: PaymentRow,
  charge: Charge,
  { now, publicUrl }: { readonly now: number; readonly publicUrl: string },
): Promise<ChargeOutcome> {
  const { tx } = unit
  const known = await findChargeByRef(tx, charge.provider, charge.chargeRef)
  if (known) return known.paymentId === payment.id ? 'unchanged' : 'foreign'
  const event = { is: 'charged', chargeId: charge.chargeRef, amount: charge.amount } as const
  const step = paymentStep(stateOfPayment(payment), event)
  if (step.is === 'unchanged') return 'unchanged'
  const isPaid = step.is === 'moved' && step.access === 'granted'
  const reason = isPaid ? await grant(tx, payment, now) : unpaidReason(payment)
  if (reason !== null) {
    await recordSurplus(unit, payment, charge, { reason, now })
    return 'surplus'
  }
  const chargeId = await recordCharge(tx, payment, charge, { surplus: null, now })
  await setPayment(tx, payment.id, { state: 'paid', chargeRef: charge.chargeRef, paidAt: new Date(now) })
  await addSale(unit, payment, chargeId, now)
  await announcePurchase(unit, payment, { now, publicUrl })
  publishPayment(unit, { ...payment, state: 'paid' })
  return 'granted'
}

/** Why a charge that its payment does not take paid for nothing: another one had paid it, or the amount is another one. */
export const unpaidReason = ({ chargeRef }: Pick<PaymentRow, 'chargeRef'>): SurplusReason =>
  chargeRef === null ? 'changed' : 'bought'

/**
 * Adds the purchase. A post that the buyer has already, cannot see any more or no longer has to buy is not sold, so that
 * the money goes back.
 * @returns why it was not sold; null when it was
 */
async function grant(tx: Db, payment: PaymentRow, now: number): Promise<SurplusReason | null> {
  const { postId, userId, amount } = payment
  if (postId === null) return 'gone'
  await holdPost(tx, postId)
  const buyer = await findUser(tx, userId)
  if (!buyer || buyer.deletedAt !== null) return 'gone'
  const decided = await decisionOn(tx, buyer, postId, now)
  if (decided?.decision.is === 'full') return (await hasPaidPost(tx, userId, postId)) ? 'bought' : 'open'
  if (decided?.decision.is !== 'preview' || decided.post.type !== 3) return 'gone'
  return (await addPurchase(tx, postId, userId, amount, now)) ? null : 'bought'
}
