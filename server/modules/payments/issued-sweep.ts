// Hourly: stores issues of earlier versions, and removes old names from copies of documents.
import type { Deps } from '#server/deps.ts'
import { sealReceipt } from '#server/services/documents/sealed-issue.ts'
import { removeOldNames } from '#server/store/payments/issued-documents.ts'
import { addEarlierIssues, listUnsealed, setSealed } from '#server/store/payments/receipts.ts'

/** Rows of one statement, and of one sweep; the next one takes the rest. */
const BATCH = 500
const MOST = 10_000
/**
 * Copies are kept for seven years from two months after the end of the fiscal year (消費税法第57条の4, 消費税法施行規則第26条の8), which
 * ends up to twelve months after the issue.
 */
const KEPT_MONTHS = 12 + 2 + 7 * 12

/** @param now ms since 1970 @returns copies of before this are not needed any more, ms */
export function oldNamesBefore(now: number): number {
  const at = new Date(now)
  at.setUTCMonth(at.getUTCMonth() - KEPT_MONTHS)
  return at.getTime()
}

export async function sweepIssuedDocuments(deps: Deps): Promise<void> {
  const { db, clock } = deps
  for (let added = 0; added < MOST; added += BATCH) if ((await addEarlierIssues(db, BATCH)) < BATCH) break
  for (let sealed = 0; sealed < MOST; sealed += BATCH) {
    const rows = await listUnsealed(db, BATCH)
    for (const { id, addressee, creator } of rows) {
      const content = { addressee, creator, seller: null, registrationNumber: null, isInvoice: false }
      await setSealed(db, { id, addressee }, sealReceipt(deps, id, content))
    }
    if (rows.length < BATCH) break
  }
  await removeOldNames(db, oldNamesBefore(clock()))
}
