// Pays balances older than six months, or makes each a task.
import { newId } from '#contract/ids.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { dayOf } from '#server/rules/money/periods.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { isEmailed, oldMonth, oldTerms, type EmailedStep } from '#server/rules/payouts/old-balance.ts'
import type { Failures } from '#server/services/transaction/failures.ts'
import { closeBalanceTask, setBalanceTask } from '#server/store/payments/balance-tasks.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { listOldBalances } from '#server/store/payouts/old-balances.ts'
import { findUser, lockUser } from '#server/store/people/people.ts'
import { oldPartOf } from './old-part.ts'
import { availableOf, requestIn } from './request.ts'

/** People of one page. */
const BATCH = 200

type Ports = Pick<Deps, 'settings' | 'clock'>

/** Requests the payout of a balance of a person who is locked, or sets or closes the task about it, and tells its creator. */
export async function settleOld(deps: Ports, unit: Unit, creatorId: string): Promise<void> {
  const { tx } = unit
  const now = deps.clock()
  const old = await oldPartOf(tx, creatorId, now)
  if (!old || old.step === 'waits') return closeBalanceTask(tx, 'old_balance', creatorId, now)
  const { amount, step } = old
  if (step === 'request') {
    const available = await availableOf(tx, creatorId, now)
    const terms = oldTerms(available, deps.settings.payouts)
    const it = { id: newId(), creatorId, isAutomatic: true, amount: undefined, terms }
    if ((await requestIn(deps, unit, it)) !== 'requested') return
    await closeBalanceTask(tx, 'old_balance', creatorId, now)
    return tell(deps, unit, creatorId, { step, amount: available, fee: terms.fee })
  }
  const isNew = await setBalanceTask(tx, 'old_balance', { creator: creatorId, amount, why: step }, now)
  if (isNew && isEmailed(step)) await tell(deps, unit, creatorId, { step, amount, fee: 0 })
}

async function tell(
  { clock, settings }: Ports,
  { tx, email }: Unit,
  creatorId: string,
  it: { readonly step: EmailedStep; readonly amount: number; readonly fee: number },
): Promise<void> {
  const creator = await findUser(tx, creatorId)
  if (!creator) return
  // Abroad a payout is held until staff have decided about its tax.
  const isHeld = (await findBankAccount(tx, creatorId))?.residence === 'abroad'
  const dueOn = isHeld ? '' : dueDay(dayOf(clock()))
  const url = `${settings.publicUrl}/settings/sales-management/payouts`
  await email({ email: creator.email, name: creator.name }, { is: 'old_balance', ...it, dueOn, url })
}

/** Hourly: settles the old balances of all who are present, each in its transaction. */
export async function sweepOld(deps: Deps, failures: Failures): Promise<void> {
  const settle = (creatorId: string) =>
    deps.transaction(async (unit) => {
      await lockUser(unit.tx, creatorId)
      await settleOld(deps, unit, creatorId)
    })
  for (let after = ''; ;) {
    const creatorIds = await listOldBalances(deps.db, oldMonth(deps.clock()), after, BATCH)
    for (const creatorId of creatorIds) await failures.attempt(creatorId, () => settle(creatorId))
    const last = creatorIds.at(-1)
    if (last === undefined || creatorIds.length < BATCH) return
    after = last
  }
}
