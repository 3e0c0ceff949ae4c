// Records settlements of the payment provider, and reverses them.
import type { BodyOf } from '#contract/endpoint.ts'
import type { addSettlement as addEndpoint } from '#contract/adjustments/settlements.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { settlementLines, settlementReversedLines } from '#server/rules/money/ledger.ts'
import { settlementDayProblem } from '#server/rules/money/settlement.ts'
import type { ActedBy } from '#server/services/billing/money-door.ts'
import {
  addSettlement,
  findSettlement,
  listSettlements,
  lockSettlements,
  setReversal,
  type SettlementRow,
} from '#server/store/adjustments/settlements.ts'
import { compareUnsettled } from '#server/store/payments/unsettled.ts'
import { addEntryOnce, firstEntryAt } from '#server/store/payments/ledger.ts'

export type AskedSettlement = Omit<BodyOf<typeof addEndpoint>, 'preview'>

/** Whether a row is what was requested, so that the request is a repeat. */
export const isSame = (row: SettlementRow | undefined, asked: AskedSettlement): boolean =>
  row?.day === asked.day &&
  row.received === asked.received &&
  row.fee === asked.fee &&
  row.reference === asked.reference

/**
 * Books what the provider transferred. A repeat of the same settlement changes nothing.
 * @throws ApiError `invalid` for a day out of range; `conflict` when another one was recorded meanwhile, or the id is taken
 */
export async function recordSettlement(
  { clock }: Pick<Deps, 'clock'>,
  { tx, audit }: Unit,
  by: ActedBy,
  asked: AskedSettlement,
): Promise<void> {
  const { id, day, received, fee, reference, latest } = asked
  const now = clock()
  await lockSettlements(tx)
  const known = await findSettlement(tx, id)
  if (known && isSame(known, asked)) return
  const [last] = await listSettlements(tx, 1)
  if (known || (last?.id ?? null) !== latest) throw new ApiError('conflict')
  const problem = settlementDayProblem(day, await firstEntryAt(tx), now)
  if (problem) throw new ApiError('invalid', { day: problem })
  const { actorId } = by
  await addSettlement(tx, { id, day, received, fee, reference, actorId, recordedAt: new Date(now) })
  const lines = settlementLines({ received, fee })
  await addEntryOnce(tx, { cause: 'settlement', settlementId: id, creatorId: null, lines }, now)
  await compareUnsettled(tx, now)
  const audited = { act: 'settlement.record', subjectKind: 'settlement', subjectId: id } as const
  audit({ ...by, ...audited, detail: { day, received, fee } })
}

/**
 * Books the reverse of a settlement.
 * @throws ApiError `not_found`; `conflict` when it is reversed
 */
export async function reverseSettlement(
  { clock }: Pick<Deps, 'clock'>,
  { tx, audit }: Unit,
  by: ActedBy,
  id: string,
  reason: string,
): Promise<void> {
  const now = clock()
  await lockSettlements(tx)
  const settlement = await findSettlement(tx, id)
  if (!settlement) throw new ApiError('not_found')
  if (settlement.reversedAt !== null) throw new ApiError('conflict')
  await setReversal(tx, id, { reason, actorId: by.actorId, at: now })
  const lines = settlementReversedLines(settlement)
  await addEntryOnce(tx, { cause: 'settlement_reversed', settlementId: id, creatorId: null, lines }, now)
  await compareUnsettled(tx, now)
  const audited = { act: 'settlement.reverse', subjectKind: 'settlement', subjectId: id } as const
  const { received, fee } = settlement
  audit({ ...by, ...audited, detail: { received, fee } })
}
