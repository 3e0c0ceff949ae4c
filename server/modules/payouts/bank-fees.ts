// Records what the bank took for a transfer file.
import type { BookedReply } from '#contract/adjustments/adjustments.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import type { recordBankFee as recordEndpoint } from '#contract/payouts/bank-fees.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { bankFeeLines, mostBankFee } from '#server/rules/payouts/bank-fee.ts'
import { perform, replyOf } from '#server/services/billing/perform.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import type { Db } from '#server/store/database.ts'
import { entriesOf } from '#server/store/payments/ledger.ts'
import { addBankFee, borneOfFiles, findBankFee, latestBankFee } from '#server/store/payouts/bank-fees.ts'
import { findExport, lockExport, lockPayoutsOf } from '#server/store/payouts/exports.ts'
import type { By } from './advance.ts'

type Asked = Omit<BodyOf<typeof recordEndpoint>, 'preview'>

/**
 * Records the fee of a file whose payouts all have a result, or shows what the record would book.
 * @throws ApiError `not_found`, `conflict`, `invalid` with `fee`
 */
export async function recordBankFee(
  deps: Deps,
  exportId: string,
  { preview, ...asked }: BodyOf<typeof recordEndpoint>,
  by: By,
): Promise<BookedReply> {
  const { db } = deps
  if (!(await findExport(db, exportId))) throw new ApiError('not_found')
  const booked = (tx: Db) => entriesOf(tx, { bankFeeId: asked.id })
  const known = await findBankFee(db, asked.id)
  if (known && (known.exportId !== exportId || known.fee !== asked.fee)) throw new ApiError('conflict')
  if (known) return replyOf(await booked(db), true)
  const second = {
    door: 'recordBankFee',
    about: [exportId, asked.fee, asked.replaces ?? ''],
    amount: asked.fee,
    paymentId: null,
  } as const
  const work = (unit: Unit) => recordLocked(deps, unit, exportId, asked, by)
  return perform(deps, { by, isPreview: preview, second, work, booked })
}

async function recordLocked(
  { clock }: Pick<Deps, 'clock'>,
  unit: Unit,
  exportId: string,
  { id, fee, replaces }: Asked,
  by: By,
): Promise<void> {
  const { tx } = unit
  const file = await lockExport(tx, exportId)
  const payouts = await lockPayoutsOf(tx, exportId)
  if (!file || file.voidedAt || payouts.some((it) => it.state === 'exported')) throw new ApiError('conflict')
  const before = await latestBankFee(tx, exportId)
  if ((before?.id ?? null) !== replaces) throw new ApiError('conflict')
  if (fee > mostBankFee(file.count)) throw new ApiError('invalid', { fee: 'too_large' })
  if (before?.fee === fee) throw new ApiError('invalid', { fee: 'unchanged' })
  const booked = before?.fee ?? (await borneOfFiles(tx, [exportId])).get(exportId) ?? 0
  const now = clock()
  const position = (before?.position ?? 0) + 1
  await addBankFee(tx, { id, exportId, position, fee, actorId: by.actorId, recordedAt: new Date(now) })
  const lines = bankFeeLines(fee, booked)
  // The bank took what creators bore: the ledger says so already.
  if (lines.length > 0)
    await bookEntry(unit, { cause: 'bank_fee', bankFeeId: id, creatorId: null, lines }, now)
  const detail = { fee, record: id, ...(before && { before: before.fee }) }
  unit.audit({ ...by, act: 'payout.file.fee', subjectKind: 'payout_export', subjectId: exportId, detail })
}
