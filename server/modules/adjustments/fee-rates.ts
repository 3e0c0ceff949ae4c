// Sets the fee rate of a creator from a day on.
import type { BodyOf } from '#contract/endpoint.ts'
import type { addFeeRate as addFeeRateEndpoint } from '#contract/adjustments/fee-rates.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { firstDayOfRate } from '#server/rules/money/fee-change.ts'
import { saleLines } from '#server/rules/money/ledger.ts'
import { dayOf, dayRange } from '#server/rules/money/periods.ts'
import type { ActedBy } from '#server/services/billing/money-door.ts'
import { addFeeRate, feeRateOn, findFeeRate } from '#server/store/adjustments/fee-rates.ts'
import type { Db } from '#server/store/database.ts'
import type { BookedEntry } from '#server/store/payments/ledger.ts'
import { findUser, lockUser } from '#server/store/people/people.ts'

/** Price of the sale by which a rate is shown, yen. */
const EXAMPLE = 1000

/** @throws ApiError `not_found`, `invalid` for a day that is too early, `conflict` when the id is taken */
export async function setFeeRate(
  { clock, settings }: Pick<Deps, 'clock' | 'settings'>,
  { tx, audit, email }: Unit,
  creatorId: string,
  by: ActedBy,
  { id, first_day: firstDay, rate, reason }: BodyOf<typeof addFeeRateEndpoint>,
): Promise<void> {
  const now = clock()
  const creator = await findUser(tx, creatorId)
  if (!creator || creator.deletedAt !== null) throw new ApiError('not_found')
  // One change after the other, so that each sees the rate before it.
  await lockUser(tx, creatorId)
  const before = (await feeRateOn(tx, creatorId, firstDay)) ?? settings.payments.feeRate
  if (firstDay < firstDayOfRate(rate, before, now)) throw new ApiError('invalid', { first_day: 'too_small' })
  const row = { id, creatorId, firstDay, rate, reason, actorId: by.actorId, createdAt: new Date(now) }
  if (!(await addFeeRate(tx, row))) throw new ApiError('conflict')
  const url = `${settings.publicUrl}/settings/sales-management`
  const { from } = dayRange(firstDay)
  await email(
    { email: creator.email, name: creator.name },
    { is: 'fee_rate', rate, before, from, reason, url },
  )
  const audited = { act: 'fee_rate', subjectKind: 'user', subjectId: creatorId } as const
  audit({ ...by, ...audited, detail: { first_day: firstDay, rate, before } })
}

/** What a sale of 1,000 yen books at a rate. */
export async function exampleOf(tx: Db, id: string): Promise<BookedEntry[]> {
  const row = await findFeeRate(tx, id)
  if (!row) return []
  const lines = saleLines({ amount: EXAMPLE, feeRate: row.rate, creatorId: row.creatorId })
  return [
    {
      id,
      cause: 'sale',
      lines: lines.map(({ account, creatorId, amount }) => ({
        account,
        isOfCreator: creatorId !== null,
        amount,
      })),
    },
  ]
}

/** The rate of a creator today, basis points. */
export const currentRate = async ({ clock, settings, db }: Deps, creatorId: string): Promise<number> =>
  (await feeRateOn(db, creatorId, dayOf(clock()))) ?? settings.payments.feeRate
