// Begins a payment of a post, after checks of post, price and limits.
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { authIdOf, newPaymentSession } from '#server/services/payments/identifiers.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'
import type { Db } from '#server/store/database.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import {
  addPayment,
  findPayment,
  holdPost,
  lockOpenPayment,
  type PaymentRow,
  setPayment,
} from '#server/store/payments/payments.ts'
import { lockUser } from '#server/store/people/people.ts'
import { auditLimit, type LimitReached, limitReached } from './limits.ts'

export interface Begun {
  readonly paymentId: string
  readonly postId: string
  /** The price that the page showed, whole yen. */
  readonly price: number
  readonly buyer: { readonly id: string; readonly birthDate: string }
  /** Keyed hash of the buyer's network. */
  readonly networkMac: string
}

type Provider = NonNullable<Deps['paymentProvider']>

/**
 * Begins a payment, or returns the one that was begun before.
 * @throws ApiError `unavailable` while selling is off, `under_age`, `not_found`, `forbidden`, `already_bought`,
 *   `price_changed`, `conflict` for the id of another payment, `rate_limited` and `payment_limit`
 */
export async function beginFlow(deps: Deps, begun: Begun): Promise<PaymentRow> {
  const { paymentProvider: provider, transaction, clock } = deps
  if (!provider) throw new ApiError('unavailable')
  if (ageOn(begun.buyer.birthDate, clock()) < MIN_AGE) throw new ApiError('under_age')
  const result = await transaction(async ({ tx }) => {
    // One after the other, so that the limits count payments that are begun at the same time.
    await lockUser(tx, begun.buyer.id)
    return (await sameAgain(tx, begun, clock())) ?? (await beginNew(deps, tx, begun, provider))
  })
  if ('act' in result) {
    await auditLimit(deps, begun.buyer.id, result)
    throw new ApiError(result.code)
  }
  return result
}

/**
 * The payment with the same id; undefined when there is none.
 * @throws ApiError `conflict`, `price_changed`; while it is open, all of a new payment, since its form can be paid
 */
async function sameAgain(tx: Db, begun: Begun, now: number): Promise<PaymentRow | undefined> {
  const same = await findPayment(tx, begun.paymentId)
  if (!same) return undefined
  if (same.userId !== begun.buyer.id || same.postId !== begun.postId) throw new ApiError('conflict')
  if (same.amount !== begun.price) throw new ApiError('price_changed')
  if (same.state === 'created' || same.state === 'pending') await priceOf(tx, begun, now)
  return same
}

async function beginNew(
  deps: Deps,
  tx: Db,
  begun: Begun,
  provider: Provider,
): Promise<PaymentRow | LimitReached> {
  const { paymentId: id, buyer, networkMac, postId } = begun
  const now = deps.clock()
  await holdPost(tx, postId)
  const { authorId: creatorId, price: amount } = await priceOf(tx, begun, now)
  const open = await lockOpenPayment(tx, buyer.id, postId, now)
  if (open?.amount === amount) return open
  if (open) await replace(tx, open)
  const reached = await limitReached(deps, tx, { userId: buyer.id, amount, networkMac })
  if (reached) return reached
  const fixed = { id, userId: buyer.id, creatorId, kind: 'post', postId, amount } as const
  // The reply has the form, so the payment waits for the provider from now on.
  const added = await addPayment(tx, {
    ...fixed,
    feeRate: deps.settings.payments.feeRate,
    state: 'pending',
    sessionId: newPaymentSession(),
    authId: authIdOf(deps.secrets, fixed, provider.storeId),
    networkMac,
    createdAt: new Date(now),
    expiresAt: new Date(now + PAYMENT_OPEN_MS),
  })
  const row = added ? await findPayment(tx, id) : undefined
  // Another person has begun a payment with this id at the same time.
  if (!row) throw new ApiError('conflict')
  return row
}

/** The author and the price of a post that the buyer may buy now. */
async function priceOf(
  tx: Db,
  { buyer, postId, price }: Begun,
  now: number,
): Promise<{ authorId: string; price: number }> {
  const decided = await decisionOn(tx, buyer, postId, now)
  if (!decided) throw new ApiError('not_found')
  const { post, decision } = decided
  if (post.bought) throw new ApiError('already_bought')
  if (decision.is !== 'preview' || decision.wants !== 'purchase' || post.price === null)
    throw new ApiError('forbidden')
  if (!(await isIdentified(tx, post.authorId))) throw new ApiError('forbidden')
  if (post.price !== price) throw new ApiError('price_changed')
  return { authorId: post.authorId, price: post.price }
}

/** Ends an open payment of an earlier price. A charge of it that is reported later still counts. */
async function replace(tx: Db, { id, state, amount, chargeGid }: PaymentRow): Promise<void> {
  const step = paymentStep({ state, amount, chargeId: chargeGid }, { is: 'timed_out' })
  if (step.is === 'moved') await setPayment(tx, id, { state: step.state })
}
