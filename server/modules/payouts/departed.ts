// Pays balances of deleted accounts, or makes each a task of the operator.
import { newId } from '#contract/ids.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { balanceOf } from '#server/rules/money/sales.ts'
import { dayAfter, dayOf, dayRange } from '#server/rules/money/periods.ts'
import { type LastStep, lastStepOf } from '#server/rules/payouts/last-payout.ts'
import type { Failures } from '#server/services/transaction/failures.ts'
import type { Db } from '#server/store/database.ts'
import { closeBalanceTask, setBalanceTask } from '#server/store/payments/balance-tasks.ts'
import { listDeparted } from '#server/store/payouts/balances.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import { latestPayout } from '#server/store/payouts/payouts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { balanceParts } from '#server/store/sales/sums.ts'
import { requestIn } from './request.ts'

/** People of one page. */
const BATCH = 200

/** What becomes of the balance of a deleted account, and the balance in yen; undefined for other accounts. */
export async function departedStep(
  db: Db,
  creatorId: string,
  now: number,
): Promise<{ readonly step: LastStep; readonly total: number } | undefined> {
  const payee = (await findPayees(db, [creatorId])).get(creatorId)
  if (!payee?.deletedAt) return undefined
  const tomorrow = dayRange(dayAfter(dayOf(now))).from
  const { total, available } = balanceOf(await balanceParts(db, creatorId, tomorrow))
  const step = lastStepOf({
    total,
    available,
    deletedAt: payee.deletedAt,
    isSuspended: payee.departed?.isSuspended ?? false,
    releasedAt: payee.departed?.releasedAt ?? null,
    accountAt: payee.account?.changedAt ?? null,
    latest: await latestPayout(db, creatorId),
  })
  return { step, total }
}

/** Requests the last payout of a person who is locked, or sets or closes the task about their balance. */
export async function settleDeparted(
  deps: Pick<Deps, 'settings' | 'clock'>,
  unit: Unit,
  creatorId: string,
): Promise<void> {
  const { tx } = unit
  const now = deps.clock()
  const found = await departedStep(tx, creatorId, now)
  if (!found) return
  const { step, total } = found
  switch (step) {
    case 'waits':
      return
    case 'settled':
      return closeBalanceTask(tx, 'clear_balance', creatorId, now)
    case 'request': {
      const it = { id: newId(), creatorId, isAutomatic: true, amount: undefined }
      // A payout of this month is under way: the rest is requested in the next one.
      if ((await requestIn(deps, unit, it)) === 'requested')
        await closeBalanceTask(tx, 'clear_balance', creatorId, now)
      return
    }
    case 'negative':
    case 'suspended':
    case 'no_account':
    case 'returned':
    case 'cancelled':
      await setBalanceTask(tx, 'clear_balance', { creator: creatorId, amount: total, why: step }, now)
      return
    default:
      return step satisfies never
  }
}

/** Hourly: settles the balances of all deleted accounts, each in its transaction. */
export async function sweepDeparted(deps: Deps, failures: Failures): Promise<void> {
  const settle = (creatorId: string) =>
    deps.transaction(async (unit) => {
      await lockUser(unit.tx, creatorId)
      await settleDeparted(deps, unit, creatorId)
    })
  for (let after = ''; ;) {
    const creatorIds = await listDeparted(deps.db, after, BATCH)
    for (const creatorId of creatorIds) await failures.attempt(creatorId, () => settle(creatorId))
    const last = creatorIds.at(-1)
    if (last === undefined || creatorIds.length < BATCH) return
    after = last
  }
}
