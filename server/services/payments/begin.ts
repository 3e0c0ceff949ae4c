// Begins a payment of a post or a plan.
import { PAYMENT_OPEN_MS } from '#contract/payments/payments.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import { ApiError } from '#server/http/errors.ts'
import { paymentStep } from '#server/rules/money/payment.ts'
import { chargeDayOf, dayOf } from '#server/rules/money/periods.ts'
import { feeRateOn } from '#server/store/adjustments/fee-rates.ts'
import type { Db } from '#server/store/database.ts'
import {
  addPayment,
  findPayment,
  isPaymentFor,
  lockOpenPayment,
  type PaidFor,
  type PaymentRow,
  setPayment,
} from '#server/store/payments/payments.ts'
import { lockUser } from '#server/store/people/people.ts'
import { authIdOf, newPaymentSession } from './identifiers.ts'
import type { BeginPorts } from './ports.ts'
import { auditLimit, type LimitReached, limitReached } from './limits.ts'
import { stateOfPayment } from '#server/services/payments/state.ts'

export interface Buyer {
  readonly id: string
  readonly birthDate: string
}

/** What is sold: its seller and price as they are in the database. */
export interface Offer {
  readonly creatorId: string
  /** Whole yen, tax included. */
  readonly price: number
  /** Whether the form takes no money, and registers a card. */
  readonly registersOnly?: boolean
  /** Day of the monthly charge; left out for that of a plan that is joined now. */
  readonly chargeDay?: number
  /** When the form can be paid no more, if that is before the usual time, ms since 1970. */
  readonly until?: number
}

export interface Begun {
  readonly paymentId: string
  readonly item: PaidFor
  /** The price that the page showed, whole yen. */
  readonly price: number
  readonly buyer: Buyer
  /** Keyed hash of the buyer's network. */
  readonly networkMac: string
  /**
   * Reads the offer, and keeps it from being changed until the end of the transaction.
   * @throws ApiError when the buyer may not buy it now
   */
  readonly offer: (tx: Db) => Promise<Offer>
}

type Provider = NonNullable<BeginPorts['paymentProviders']['current']>

/** Begins a payment of something new, as `beginAt` does. @throws ApiError `sales_paused` while nothing new is sold */
export function beginFlow(ports: BeginPorts, begun: Begun): Promise<PaymentRow> {
  const { paymentProviders, settings } = ports
  // Also for a payment that was begun before: a charge of its form that comes all the same is applied.
  return beginAt(ports, settings.payments.isSelling ? paymentProviders.current : undefined, begun)
}

/**
 * Begins a payment, or returns the one that was begun before.
 * @param provider undefined when none is open
 * @throws ApiError `sales_paused` without a provider, `under_age`, `price_changed`, `conflict` for the id of another
 *   payment, `rate_limited` and `payment_limit`, and what `offer` throws
 */
export async function beginAt(
  ports: BeginPorts,
  provider: Provider | undefined,
  begun: Begun,
): Promise<PaymentRow> {
  const { transaction, clock } = ports
  if (!provider) throw new ApiError('sales_paused')
  if (ageOn(begun.buyer.birthDate, clock()) < MIN_AGE) throw new ApiError('under_age')
  const result = await transaction(async ({ tx }) => {
    // One after the other, so that the limits count payments that are begun at the same time.
    await lockUser(tx, begun.buyer.id)
    return (await sameAgain(tx, begun)) ?? (await beginNew(ports, tx, begun, provider))
  })
  if ('act' in result) {
    await auditLimit(ports, begun.buyer.id, result)
    throw new ApiError(result.code)
  }
  return result
}

/**
 * The payment with the same id; undefined when there is none.
 * @throws ApiError `conflict`, `price_changed`; while it is open, all of a new payment, since its form can be paid
 */
async function sameAgain(tx: Db, begun: Begun): Promise<PaymentRow | undefined> {
  const same = await findPayment(tx, begun.paymentId)
  if (!same) return undefined
  if (same.userId !== begun.buyer.id || !isPaymentFor(same, begun.item)) throw new ApiError('conflict')
  if (same.amount !== begun.price) throw new ApiError('price_changed')
  if (same.state === 'created' || same.state === 'pending') await offerOf(tx, begun)
  return same
}

async function beginNew(
  ports: BeginPorts,
  tx: Db,
  begun: Begun,
  provider: Provider,
): Promise<PaymentRow | LimitReached> {
  const { paymentId: id, buyer, networkMac, item } = begun
  const now = ports.clock()
  const { creatorId, price: amount, registersOnly = false, chargeDay, until } = await offerOf(tx, begun)
  const open = await lockOpenPayment(tx, buyer.id, item, now)
  const isHere = open?.provider === null || open?.provider === provider.name
  if (open?.amount === amount && isHere && open.registersOnly === registersOnly) return open
  if (open) await replace(tx, open)
  const reached = await limitReached(ports, tx, {
    userId: buyer.id,
    amount: registersOnly ? 0 : amount,
    networkMac,
  })
  if (reached) return reached
  const fixed = { id, userId: buyer.id, creatorId, amount, ...item }
  // The reply leads to the provider, so the payment waits for it from now on.
  const added = await addPayment(tx, {
    ...fixed,
    provider: provider.name,
    registersOnly,
    chargeDay: item.kind === 'plan' ? (chargeDay ?? chargeDayOf(now)) : null,
    feeRate: (await feeRateOn(tx, creatorId, dayOf(now))) ?? ports.settings.payments.feeRate,
    state: 'pending',
    sessionId: newPaymentSession(),
    authId: authIdOf(ports.secrets, fixed, provider.storeId),
    networkMac,
    createdAt: new Date(now),
    expiresAt: new Date(Math.min(now + PAYMENT_OPEN_MS, until ?? Number.POSITIVE_INFINITY)),
  })
  const row = added ? await findPayment(tx, id) : undefined
  // Another person has begun a payment with this id at the same time.
  if (!row) throw new ApiError('conflict')
  return row
}

async function offerOf(tx: Db, { offer, price }: Begun): Promise<Offer> {
  const offered = await offer(tx)
  if (offered.price !== price) throw new ApiError('price_changed')
  return offered
}

/** Ends an open payment of an earlier price or provider. A charge of it that is reported later still counts. */
async function replace(tx: Db, payment: PaymentRow): Promise<void> {
  const step = paymentStep(stateOfPayment(payment), { is: 'timed_out' })
  if (step.is === 'moved') await setPayment(tx, payment.id, { state: step.state })
}
