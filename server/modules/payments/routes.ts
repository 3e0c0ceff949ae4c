// Routes of payments: beginning one, its state, and what the return page may know.
import type { FastifyInstance } from 'fastify'
import { beginPayment, getPayment, getPaymentReturn } from '#contract/payments/payments.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { addressOf } from '#server/http/limits.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { isSameSecret, networkMacOf } from '#server/services/payments/identifiers.ts'
import { findPayment, hasSurplus, type PaymentRow } from '#server/store/payments/payments.ts'
import { beginFlow } from './begin.ts'
import { paymentAdminRoutes } from './admin.ts'
import { historyRoutes } from './history-routes.ts'
import { noticeRoutes } from './notice-routes.ts'

/** The item's name on the provider's form: it names neither the creator nor the post. */
const ITEM_NAME = 'とどけの有料投稿'

const isOpenState = (state: PaymentRow['state']) => state === 'created' || state === 'pending'

/** The state as people see it: an open payment whose time is over has expired, also before the sweep. */
const shownState = ({ state, expiresAt }: PaymentRow, now: number): PaymentRow['state'] =>
  isOpenState(state) && expiresAt.getTime() <= now ? 'expired' : state

export function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings, paymentProvider: provider } = deps

  memberRoute(app, beginPayment, async ({ viewer, body, request }) => {
    const payment = await beginFlow(deps, {
      paymentId: body.payment_id,
      postId: body.post_id,
      price: body.price,
      buyer: viewer,
      networkMac: networkMacOf(secrets, addressOf(request)),
    })
    const state = shownState(payment, clock())
    const form = isOpenState(state) ? provider?.form({ ...payment, itemName: ITEM_NAME }) : undefined
    return {
      id: payment.id,
      state,
      amount: payment.amount,
      expires_at: payment.expiresAt.toISOString(),
      form: form ? { action: form.action, fields: [...form.fields] } : null,
    }
  })

  memberRoute(app, getPayment, async ({ viewer, params }) => {
    const payment = await findPayment(db, params.payment_id)
    if (payment?.userId !== viewer.id) throw new ApiError('not_found')
    return {
      id: payment.id,
      state: shownState(payment, clock()),
      amount: payment.amount,
      post_id: payment.postId,
      expires_at: payment.expiresAt.toISOString(),
      has_surplus: await hasSurplus(db, payment.id),
    }
  })

  route(
    app,
    getPaymentReturn,
    async ({ params, query }) => {
      const payment = await findPayment(db, params.payment_id)
      // Compared also without a payment, so that the time does not show whether there is one.
      const isKnown = isSameSecret(payment?.sessionId ?? '', query.session_id)
      if (!payment || !isKnown) throw new ApiError('not_found')
      return {
        state: shownState(payment, clock()),
        post_id: payment.postId,
        has_surplus: await hasSurplus(db, payment.id),
      }
    },
    { rateLimit: settings.limits.paymentReturns },
  )

  historyRoutes(app, deps)
  noticeRoutes(app, deps)
  paymentAdminRoutes(app, deps)
}
