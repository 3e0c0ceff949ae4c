// Routes of the purchase history and of receipts.
import type { FastifyInstance } from 'fastify'
import { listPaymentFilters, listPayments, type Purchase } from '#contract/payments/history.ts'
import { getReceipt, issueReceipt, type ReceiptView } from '#contract/payments/receipts.ts'
import { listSurplusCharges } from '#contract/payments/surplus.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { TAX_PERCENT, taxInside } from '#server/rules/money/fees.ts'
import { monthRange, yearOf } from '#server/rules/money/periods.ts'
import {
  creatorsOfPurchases,
  findPurchase,
  listPurchases,
  monthsOfPurchases,
  type PurchaseRow,
  PURCHASES_PAGE,
} from '#server/store/payments/history.ts'
import { lockPayment } from '#server/store/payments/payments.ts'
import { addIssue, findReceipt, type ReceiptRow } from '#server/store/payments/receipts.ts'
import { listSurplusOfBuyer } from '#server/store/payments/surplus.ts'
import { surplusView } from './surplus-view.ts'

/** Charges that paid for nothing which are listed; few people ever have one. */
const SURPLUS_MOST = 50

export function historyRoutes(app: FastifyInstance, { db, clock, settings, transaction }: Deps): void {
  memberRoute(app, listPayments, async ({ viewer, query: { cursor, month, creator } }) => {
    const filter = {
      paid: month === undefined ? undefined : monthRange(month),
      creatorId: creator,
      after: timeCursor.read(cursor),
    }
    const rows = await listPurchases(db, viewer.id, filter)
    const { shown, next } = timeCursor.pageOf(rows, PURCHASES_PAGE, ({ paidAt: at, id }) => ({ at, id }))
    return { payments: shown.map(purchaseOf), next }
  })

  memberRoute(app, listPaymentFilters, async ({ viewer }) => ({
    months: await monthsOfPurchases(db, viewer.id),
    creators: await creatorsOfPurchases(db, viewer.id),
  }))

  memberRoute(app, listSurplusCharges, async ({ viewer }) => ({
    charges: (await listSurplusOfBuyer(db, viewer.id, SURPLUS_MOST)).map(
      ({ id, paymentId, kind, creatorId, creatorName, ...row }) => ({
        id,
        payment_id: paymentId,
        kind,
        creator: { id: creatorId, name: creatorName },
        ...surplusView(row),
      }),
    ),
  }))

  memberRoute(app, getReceipt, async ({ viewer, params }) => {
    const purchase = await findPurchase(db, viewer.id, params.payment_id)
    if (!purchase) throw new ApiError('not_found')
    return receiptOf(purchase, await findReceipt(db, purchase.id), settings.operator.name)
  })

  memberRoute(app, issueReceipt, ({ viewer, params, body: { addressee } }) =>
    transaction(async ({ tx }) => {
      // One after the other, and not while the payment is refunded.
      await lockPayment(tx, params.payment_id)
      const purchase = await findPurchase(tx, viewer.id, params.payment_id)
      if (!purchase) throw new ApiError('not_found')
      if (purchase.state === 'disputed') throw new ApiError('conflict')
      const now = clock()
      const receipt = await addIssue(tx, { paymentId: purchase.id, addressee }, yearOf(now), now)
      return receiptOf(purchase, receipt, settings.operator.name)
    }),
  )
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

const titleOf = ({ postTitle }: PurchaseRow) => (postTitle === null ? {} : { title: postTitle })

const periodOf = ({ periodFrom, periodUntil }: PurchaseRow) =>
  periodFrom && periodUntil ? { from: periodFrom.toISOString(), until: periodUntil.toISOString() } : null

/** No creator has a registration number yet, and the operator's is not that of the seller (decision 066). */
const receiptOf = (
  purchase: PurchaseRow,
  issued: ReceiptRow | undefined,
  recipient: string | null,
): ReceiptView => ({
  payment_id: purchase.id,
  kind: purchase.kind,
  period: periodOf(purchase),
  ...titleOf(purchase),
  amount: purchase.amount,
  tax_percent: TAX_PERCENT,
  tax: taxInside(purchase.amount),
  state: purchase.state,
  paid_at: purchase.paidAt.toISOString(),
  refunded_at: purchase.refundedAt?.toISOString() ?? null,
  refunded_amount: purchase.refundedAmount,
  seller: { id: purchase.creatorId, name: purchase.creatorName, registration_number: null },
  recipient,
  issued: issued
    ? {
        number: issued.number,
        addressee: issued.addressee,
        issued_at: issued.issuedAt.toISOString(),
        last_issued_at: issued.lastIssuedAt.toISOString(),
        count: issued.issues,
      }
    : null,
})
