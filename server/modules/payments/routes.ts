// Routes of payments: beginning one, its state, and what the return page may know.
import type { FastifyInstance } from 'fastify'
import { getAllowance } from '#contract/payments/allowance.ts'
import { beginPayment, getPayment, getPaymentReturn, readPaymentReturn } from '#contract/payments/payments.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { addressOf } from '#server/http/limit-keys.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { isSameSecret, networkMacOf } from '#server/services/payments/identifiers.ts'
import { begunView, shownState } from '#server/services/payments/payment-form.ts'
import { fitsAt } from '#server/rules/money/new-account.ts'
import { findNewAccount } from '#server/services/payments/limits.ts'
import { beginFlow } from '#server/services/payments/begin.ts'
import { findPayment, type PaidFor } from '#server/store/payments/payments.ts'
import { listSurplusOf } from '#server/store/payments/surplus.ts'
import { paymentAdminRoutes } from './admin.ts'
import { historyRoutes } from './history-routes.ts'
import { issuedRoutes } from './issued-routes.ts'
import { noticeRoutes } from './notice-routes.ts'
import { postOffer } from './post-offer.ts'
import { receiptRoutes } from './receipt-routes.ts'
import { surplusView } from './surplus-view.ts'

export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings } = deps

  const surplusOf = async (paymentId: string) => {
    const surplus = (await listSurplusOf(db, paymentId)).map(surplusView)
    return { has_surplus: surplus.length > 0, surplus }
  }

  memberRoute(app, beginPayment, async ({ viewer, body, request }) => {
    const postId = body.post_id
    const payment = await beginFlow(deps, {
      paymentId: body.payment_id,
      item: { kind: 'post', postId },
      price: body.price,
      buyer: viewer,
      networkMac: networkMacOf(secrets, addressOf(request)),
      offer: (tx) => postOffer(tx, deps, viewer, postId),
    })
    return begunView(payment, deps)
  })

  memberRoute(app, getPayment, async ({ viewer, params }) => {
    const payment = await findPayment(db, params.payment_id)
    if (payment?.userId !== viewer.id) throw new ApiError('not_found')
    return {
      id: payment.id,
      state: shownState(payment, clock()),
      amount: payment.amount,
      post_id: payment.postId,
      plan_id: payment.planId,
      expires_at: payment.expiresAt.toISOString(),
      ...(await surplusOf(payment.id)),
    }
  })

  const returnedFrom = async (paymentId: string, sessionId: string) => {
    const payment = await findPayment(db, paymentId)
    // Compared also without a payment, so that the time does not show whether there is one.
    const isKnown = isSameSecret(payment?.sessionId ?? '', sessionId)
    if (!payment || !isKnown) throw new ApiError('not_found')
    return {
      state: shownState(payment, clock()),
      kind: payment.kind,
      post_id: payment.postId,
      plan_id: payment.planId,
      card_of: payment.changesCardOf,
      ...(await surplusOf(payment.id)),
    }
  }
  const returns = { rateLimit: settings.limits.paymentReturns }
  route(app, readPaymentReturn, (it) => returnedFrom(it.params.payment_id, it.body.session_id), returns)
  route(app, getPaymentReturn, (it) => returnedFrom(it.params.payment_id, it.query.session_id), returns)

  allowanceRoute(app, deps)
  historyRoutes(app, deps)
  receiptRoutes(app, deps)
  issuedRoutes(app, deps)
  noticeRoutes(app, deps)
  paymentAdminRoutes(app, deps)
}

function allowanceRoute(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, getAllowance, async ({ viewer, query }) => {
    const item = itemOf(query)
    const account = await findNewAccount(deps, db, { userId: viewer.id, item })
    if (!account) return { allowance: null }
    const { limit, left, endsAt } = account
    const fits = fitsAt(query.price, account, clock())
    return {
      allowance: {
        limit,
        left,
        fits_at: new Date(fits).toISOString(),
        ends_at: new Date(endsAt).toISOString(),
      },
    }
  })
}

interface ThingQuery {
  readonly post_id?: string | undefined
  readonly plan_id?: string | undefined
  readonly card_of?: string | undefined
}

/** What a query asks about. */
function itemOf({ post_id: postId, plan_id: planId, card_of: cardOf }: ThingQuery): PaidFor | undefined {
  if (postId !== undefined) return { kind: 'post', postId }
  if (planId === undefined) return undefined
  return { kind: 'plan', planId, ...(cardOf !== undefined && { changesCardOf: cardOf }) }
}
