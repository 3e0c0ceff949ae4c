// Routes of the purchase history.
import type { FastifyInstance } from 'fastify'
import { listPaymentFilters, listPayments, type Purchase } from '#contract/payments/history.ts'
import { listSurplusCharges } from '#contract/payments/surplus.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { recordsRoute } from '#server/http/route.ts'
import { monthRange } from '#server/rules/money/periods.ts'
import {
  creatorsOfPurchases,
  listPurchases,
  monthsOfPurchases,
  type PurchaseRow,
  PURCHASES_PAGE,
} from '#server/store/payments/history.ts'
import { listSurplusOfBuyer } from '#server/store/payments/surplus.ts'
import { surplusView } from './surplus-view.ts'

/** Charges that paid for nothing which are listed; few people ever have one. */
const SURPLUS_MOST = 50

export function historyRoutes(app: FastifyInstance, { db }: Deps): void {
  recordsRoute(app, listPayments, async ({ personId, query: { cursor, month, creator } }) => {
    const filter = {
      paid: month === undefined ? undefined : monthRange(month),
      creatorId: creator,
      after: timeCursor.read(cursor),
    }
    const rows = await listPurchases(db, personId, filter)
    const { shown, next } = timeCursor.pageOf(rows, PURCHASES_PAGE, ({ paidAt: at, id }) => ({ at, id }))
    return { payments: shown.map(purchaseOf), next }
  })

  recordsRoute(app, listPaymentFilters, async ({ personId }) => ({
    months: await monthsOfPurchases(db, personId),
    creators: await creatorsOfPurchases(db, personId),
  }))

  recordsRoute(app, listSurplusCharges, async ({ personId }) => ({
    charges: (await listSurplusOfBuyer(db, personId, SURPLUS_MOST)).map(
      ({ id, paymentId, kind, creatorId, creatorName, ...row }) => ({
        id,
        payment_id: paymentId,
        kind,
        creator: { id: creatorId, name: creatorName },
        ...surplusView(row),
      }),
    ),
  }))
}

function purchaseOf(row: PurchaseRow): Purchase {
  const shared = {
    id: row.id,
    creator: { id: row.creatorId, name: row.creatorName },
    amount: row.amount,
    state: row.state,
    paid_at: row.paidAt.toISOString(),
    refunded_at: row.refundedAt?.toISOString() ?? null,
    refunded_amount: row.refundedAmount,
    receipt: row.hasReceipt,
  }
  const period = periodOf(row)
  if (period) {
    const { planId, planName } = row
    const plan = planId === null || planName === null ? null : { id: planId, name: planName }
    return { kind: 'plan', plan, period, ...shared }
  }
  return { kind: 'post', post: row.postId === null ? null : { id: row.postId }, ...titleOf(row), ...shared }
}

export const titleOf = ({ postTitle }: PurchaseRow): { title?: string } =>
  postTitle === null ? {} : { title: postTitle }

/** The month that a plan's payment paid. */
export const periodOf = ({ periodFrom, periodUntil }: PurchaseRow) =>
  periodFrom && periodUntil ? { from: periodFrom.toISOString(), until: periodUntil.toISOString() } : null
