// Routes of receipts: their content, and issuing them.
import type { FastifyInstance } from 'fastify'
import { getReceipt, issueReceipt, type ReceiptView } from '#contract/payments/receipts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { recordsRoute } from '#server/http/route.ts'
import { TAX_PERCENT, taxInside } from '#server/rules/money/fees.ts'
import { yearOf } from '#server/rules/money/periods.ts'
import { isReaddressed, namedSeller } from '#server/rules/money/receipt-seller.ts'
import { openReceipt, type ReceiptContent, sealReceipt } from '#server/services/documents/sealed-issue.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { isShownTo } from '#server/services/sellers/shown.ts'
import type { Db } from '#server/store/database.ts'
import { findPurchase, type PurchaseRow } from '#server/store/payments/history.ts'
import { lockPayment } from '#server/store/payments/payments.ts'
import { addIssue, findReceipt, type IssueRow, listIssues } from '#server/store/payments/receipts.ts'
import { findSeller } from '#server/store/sellers/sellers.ts'
import { periodOf, titleOf } from './history-routes.ts'

export function receiptRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction } = deps
  recordsRoute(app, getReceipt, async ({ personId, params }) => {
    const purchase = await findPurchase(db, personId, params.payment_id)
    if (!purchase) throw new ApiError('not_found')
    return receiptOf(deps, db, purchase, personId)
  })

  recordsRoute(app, issueReceipt, ({ personId, params, body: { addressee } }) =>
    transaction(async ({ tx }) => {
      // One after the other, and not while the payment is refunded.
      await lockPayment(tx, params.payment_id)
      const purchase = await findPurchase(tx, personId, params.payment_id)
      if (!purchase) throw new ApiError('not_found')
      if (purchase.state === 'disputed') throw new ApiError('conflict')
      const now = clock()
      const { id: paymentId, amount, refundedAmount } = purchase
      const content = await contentFor(deps, tx, purchase, personId, addressee)
      const seal = (id: string) => sealReceipt(deps, id, content)
      await addIssue(tx, { paymentId, addressee, amount, refundedAmount, seal }, yearOf(now), now)
      return receiptOf(deps, tx, purchase, personId)
    }),
  )
}

/** What a receipt says if it is issued now (decision 136). */
async function contentFor(
  deps: Deps,
  db: Db,
  { creatorId, creatorName, paidAt, refundedAmount }: PurchaseRow,
  buyerId: string,
  addressee: string,
): Promise<ReceiptContent> {
  const row = await findSeller(db, creatorId)
  const data = row && openSeller(deps, row)
  const facts = row &&
    data && {
      name: data.name,
      registrationNumber: data.registration_number,
      registeredOn: data.registered_on,
      isShown: await isShownTo(db, row, buyerId, deps.clock()),
    }
  return {
    addressee,
    creator: creatorName,
    ...namedSeller(facts, { paidAt: paidAt.getTime(), refundedAmount }),
  }
}

/** What an issue said. One of a server of the version before has its addressee alone. */
function contentOf(deps: Deps, row: IssueRow, creator: string): ReceiptContent {
  if (row.sealed !== '') return openReceipt(deps, row)
  return { addressee: row.addressee, creator, seller: null, registrationNumber: null, isInvoice: false }
}

async function receiptOf(deps: Deps, db: Db, purchase: PurchaseRow, buyerId: string): Promise<ReceiptView> {
  const receipt = await findReceipt(db, purchase.id)
  const rows = receipt ? await listIssues(db, purchase.id) : []
  const issues = rows.map((row) => ({ row, content: contentOf(deps, row, purchase.creatorName) }))
  const addressees = issues.map((it) => it.content.addressee)
  const latest = issues.find(({ row }) => row.issue === receipt?.issues)?.content
  const said = latest ?? (await contentFor(deps, db, purchase, buyerId, ''))
  return {
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
    seller: {
      id: purchase.creatorId,
      name: said.creator,
      legal_name: said.seller,
      registration_number: said.registrationNumber,
    },
    is_invoice: said.isInvoice && purchase.refundedAmount === 0,
    recipient: deps.settings.operator.name,
    issued: receipt
      ? {
          number: receipt.number,
          addressee: latest?.addressee ?? receipt.addressee,
          issued_at: receipt.issuedAt.toISOString(),
          last_issued_at: receipt.lastIssuedAt.toISOString(),
          count: receipt.issues,
          readdressed: isReaddressed(addressees),
          issues: issues.map(({ row, content }) => ({
            issue: row.issue,
            addressee: content.addressee,
            issued_at: row.issuedAt.toISOString(),
          })),
        }
      : null,
  }
}
