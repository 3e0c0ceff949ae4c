// Issues of a person's receipts, for their data export.
import type { Deps } from '#server/deps.ts'
import { openReceipt } from '#server/services/documents/sealed-issue.ts'
import { listIssuesOfBuyer } from '#server/store/payments/receipts.ts'

/** By the ids of payments, each in the order of the issues. */
export async function receiptIssuesOf(deps: Deps, userId: string) {
  const rows = await listIssuesOfBuyer(deps.db, userId)
  const byPayment = Map.groupBy(rows, (it) => it.paymentId)
  return new Map(
    [...byPayment].map(([paymentId, issues]) => [
      paymentId,
      issues.map((it) => {
        const content = it.sealed === '' ? undefined : openReceipt(deps, it)
        return {
          issue: it.issue,
          issued_at: it.issuedAt,
          addressee: content?.addressee ?? it.addressee,
          amount: it.amount,
          refunded_amount: it.refundedAmount,
          seller: content?.seller ?? content?.creator ?? null,
          registration_number: content?.registrationNumber ?? null,
        }
      }),
    ]),
  )
}
