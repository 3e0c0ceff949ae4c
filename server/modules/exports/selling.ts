// Bank account, seller's data and requests of a person, for their data export.
import type { Deps } from '#server/deps.ts'
import { openSeller } from '#server/services/sellers/sealed-seller.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { exportedRow } from '#server/store/personal/duties.ts'
import { bankAccountColumns, sellerColumns } from '#server/store/personal/selling.ts'
import { listMade } from '#server/store/sellers/requests.ts'
import { findSeller } from '#server/store/sellers/sellers.ts'

/** The account as its owner sees it: a zip with the whole number could pass it on. */
export async function bankAccountOf({ db }: Deps, userId: string) {
  const account = await findBankAccount(db, userId)
  return account ? exportedRow(bankAccountColumns, account) : null
}

/** The own data as a seller, and the requests for those of others, without what was disclosed: it is theirs. */
export async function sellerOf(deps: Deps, userId: string) {
  const row = await findSeller(deps.db, userId)
  return {
    own: row ? { ...exportedRow(sellerColumns, row), ...openSeller(deps, row) } : null,
    requests: (await listMade(deps.db, userId)).map((it) => ({
      creator_id: it.creatorId,
      reason: it.reason,
      requested_at: it.requestedAt,
      answered_at: it.answeredAt,
      answer: it.answer,
      note: it.note,
    })),
  }
}
