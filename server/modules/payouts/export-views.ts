// Views of transfer files with what the bank took for each.
import type { PayoutExport } from '#contract/payouts/admin-payouts.ts'
import type { BankFeeView } from '#contract/payouts/bank-fees.ts'
import type { Deps } from '#server/deps.ts'
import { isFeeLate } from '#server/rules/payouts/bank-fee.ts'
import { personView } from '#server/services/people/person-view.ts'
import { type BankFeeRow, bankFeesOf, borneOfFiles } from '#server/store/payouts/bank-fees.ts'
import { listExports } from '#server/store/payouts/exports.ts'
import { findPeople, type Person } from '#server/store/people/people.ts'

/** Files of one reply, and as many older ones whose fee is not recorded. */
const EXPORTS = 24

export async function exportViews({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<PayoutExport[]> {
  const files = await listExports(db, EXPORTS)
  const ids = files.map((it) => it.id)
  const [fees, borne] = [await bankFeesOf(db, ids), await borneOfFiles(db, ids)]
  const actors = [...fees.values()].flat().map((it) => it.actorId)
  const people = await findPeople(db, actors)
  return files.map((it) => {
    const records = fees.get(it.id) ?? []
    return {
      id: it.id,
      day: it.day,
      count: it.count,
      total: it.total,
      made_at: it.madeAt.toISOString(),
      has_file: it.hasFile,
      left_out: [...it.leftOut],
      voided_at: it.voidedAt?.toISOString() ?? null,
      void_reason: it.voidReason,
      voidable: it.isVoidable,
      settled: it.isSettled,
      borne: borne.get(it.id) ?? 0,
      bank_fees: records.map((row) => feeView(row, people)),
      bank_fee_late: it.isSettled && records.length === 0 && isFeeLate(it.day, clock()),
    }
  })
}

function feeView(
  { id, fee, recordedAt, actorId }: BankFeeRow,
  people: ReadonlyMap<string, Person>,
): BankFeeView {
  const actor = people.get(actorId)
  return { id, fee, recorded_at: recordedAt.toISOString(), actor: actor ? personView(actor) : null }
}
