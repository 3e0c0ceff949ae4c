// Requests payouts without their creators: of closed months, deleted accounts and old balances.
import { newId } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { monthOf } from '#server/rules/money/periods.ts'
import { createFailures } from '#server/services/transaction/failures.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { removeUnneededAccounts } from '#server/store/payouts/bank-accounts.ts'
import { listForAutomatic } from '#server/store/payouts/payouts.ts'
import { sweepDeparted } from './departed.ts'
import { sweepOld } from './old-balances.ts'
import { availableOf, requestIn } from './request.ts'

/** Creators of one page of automatic payouts. */
const BATCH = 200

/**
 * Hourly: requests the payouts of creators who have them made automatically, settles the balances of deleted accounts and those
 * older than six months, and removes bank accounts to which nothing is owed any more.
 * @throws AggregateError at the end when some could not be requested
 */
export async function sweepPayouts(deps: Deps): Promise<void> {
  const { db, transaction, clock } = deps
  const month = monthOf(clock())
  const failures = createFailures('payout of')
  const requestFor = async (creatorId: string) => {
    // Most have too little, or nothing: no transaction for them.
    const available = await availableOf(db, creatorId, clock())
    if (available < deps.settings.payouts.minimum || !(await isIdentified(db, creatorId))) return
    const it = { id: newId(), creatorId, isAutomatic: true, amount: undefined }
    await transaction((unit) => requestIn(deps, unit, it))
  }
  for (let after = ''; ;) {
    const creatorIds = await listForAutomatic(db, month, after, BATCH)
    for (const creatorId of creatorIds) await failures.attempt(creatorId, () => requestFor(creatorId))
    const last = creatorIds.at(-1)
    if (last === undefined || creatorIds.length < BATCH) break
    after = last
  }
  await sweepDeparted(deps, failures)
  await sweepOld(deps, failures)
  await failures.attempt('deleted people: bank accounts', () => removeUnneededAccounts(db))
  failures.report()
}
