// Applies a charge to its payment: one opens the post, others are owed back.
import { newId } from '#contract/ids.ts'
import { saleLines, surplusLines } from '#server/rules/money/ledger.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'
import type { Db } from '#server/store/database.ts'
import { addChargeOnce, findChargeByGid } from '#server/store/payments/charges.ts'
import { addEntryOnce } from '#server/store/payments/ledger.ts'
import { addTask } from '#server/store/payments/operator-tasks.ts'
import { holdPost, type PaymentRow, setPayment } from '#server/store/payments/payments.ts'
import { findUser } from '#server/store/people/people.ts'
import { addPurchase } from '#server/store/posts/posts.ts'
import { publishPayment } from './live.ts'
import type { PaymentUnit } from './ports.ts'
import { announcePurchase } from './purchase-messages.ts'

export interface Charge {
  readonly provider: string
  /** The provider's number. */
  readonly gid: string
  /** Whole yen. */
  readonly amount: number
}

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
  const known = await findChargeByGid(tx, charge.provider, charge.gid)
  if (known) return known.paymentId === payment.id ? 'unchanged' : 'foreign'
  const { state, amount, chargeGid } = payment
  const event = { is: 'charged', chargeId: charge.gid, amount: charge.amount } as const
  const step = paymentStep({ state, amount, chargeId: chargeGid }, event)
  if (step.is === 'unchanged') return 'unchanged'
  const isGranted = step.is === 'moved' && step.access === 'granted' && (await grant(tx, payment, now))
  const chargeId = newId()
  const row = { ...charge, id: chargeId, paymentId: payment.id, isSurplus: !isGranted }
  if (!(await addChargeOnce(tx, { ...row, chargedAt: new Date(now) })))
    throw new Error('the number of a charge was recorded by another transaction at the same time')
  if (!isGranted) {
    await recordSurplus(unit, payment, chargeId, charge, now)
    return 'surplus'
  }
  await setPayment(tx, payment.id, { state: 'paid', chargeGid: charge.gid, paidAt: new Date(now) })
  await addEntryOnce(tx, 'sale', chargeId, saleLines(payment), now)
  await announcePurchase(unit, payment, { now, publicUrl })
  publishPayment(unit, { ...payment, state: 'paid' })
  return 'granted'
}

/**
 * Adds the purchase. A post that the buyer has already, cannot see any more or no longer has to buy is not sold, so that
 * the money goes back.
 */
async function grant(tx: Db, payment: PaymentRow, now: number): Promise<boolean> {
  const { postId, userId, amount } = payment
  if (postId === null) return false
  await holdPost(tx, postId)
  const buyer = await findUser(tx, userId)
  if (!buyer || buyer.deletedAt !== null) return false
  const decided = await decisionOn(tx, buyer, postId, now)
  if (decided?.decision.is !== 'preview' || decided.post.type !== 3) return false
  return addPurchase(tx, postId, userId, amount, now)
}

async function recordSurplus(
  unit: PaymentUnit,
  payment: PaymentRow,
  chargeId: string,
  { gid, amount }: Charge,
  now: number,
): Promise<void> {
  const { tx, enqueue } = unit
  await addEntryOnce(tx, 'surplus', chargeId, surplusLines(amount), now)
  await addTask(tx, { kind: 'refund_surplus', paymentId: payment.id, details: { gid, amount } }, now)
  await enqueue('payment.refund', { chargeId })
  publishPayment(unit, payment)
}
