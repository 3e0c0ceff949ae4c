// Requests payouts: by the creator, and of each closed month.
import { newId } from '#contract/ids.ts'
import type { PayoutObstacle, PayoutOverview, PayoutView } from '#contract/payouts/payouts.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { dayAfter, dayOf, dayRange, monthOf } from '#server/rules/money/periods.ts'
import { balanceOf } from '#server/rules/money/sales.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { requestLines } from '#server/rules/payouts/payout.ts'
import type { Db } from '#server/store/database.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import { createFailures } from '#server/services/transaction/failures.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findBankAccount, removeUnneededAccounts } from '#server/store/payouts/bank-accounts.ts'
import {
  addPayout,
  hasPayoutOf,
  isAutomatic,
  lastReturned,
  listForAutomatic,
  listPayoutsOf,
  type PayoutRow,
} from '#server/store/payouts/payouts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { balanceParts } from '#server/store/sales/sums.ts'

/** Payouts that the overview lists. */
const SHOWN = 100
/** Creators of one page of automatic payouts. */
const BATCH = 200

type Ports = Pick<Deps, 'settings' | 'clock'>

/** What can be paid out now, yen. */
async function availableOf(db: Db, creatorId: string, now: number): Promise<number> {
  const tomorrow = dayRange(dayAfter(dayOf(now))).from
  return balanceOf(await balanceParts(db, creatorId, tomorrow)).available
}

/** Why the creator cannot be paid now; undefined when they can. */
async function obstacleOf(
  { settings, clock }: Ports,
  db: Db,
  creatorId: string,
  available: number,
): Promise<PayoutObstacle | undefined> {
  const account = await findBankAccount(db, creatorId)
  if (!account) return 'no_account'
  if (await hasPayoutOf(db, creatorId, monthOf(clock()))) return 'this_month'
  const returned = await lastReturned(db, creatorId)
  if (returned && returned >= account.changedAt) return 'returned'
  return available < settings.payouts.minimum ? 'too_little' : undefined
}

export async function overviewOf(deps: Deps, creatorId: string): Promise<PayoutOverview> {
  const { db, settings, clock } = deps
  const available = await availableOf(db, creatorId, clock())
  return {
    automatic: await isAutomatic(db, creatorId),
    minimum: settings.payouts.minimum,
    fee: settings.payouts.fee,
    available,
    due_on: dueDay(dayOf(clock())),
    obstacle: (await obstacleOf(deps, db, creatorId, available)) ?? null,
    payouts: (await listPayoutsOf(db, creatorId, SHOWN)).map(viewOf),
  }
}

const viewOf = (row: PayoutRow): PayoutView => ({
  id: row.id,
  number: row.number,
  state: row.state,
  amount: row.amount,
  fee: row.fee,
  requested_at: row.requestedAt.toISOString(),
  due_on: row.dueOn,
  paid_at: row.paidAt?.toISOString() ?? null,
  reason: row.reason,
  last_digits: row.lastDigits,
})

export interface Requested {
  readonly id: string
  readonly creatorId: string
  readonly isAutomatic: boolean
  /** The amount that the creator has seen; undefined takes what is available. */
  readonly amount: number | undefined
}

export type RequestOutcome = 'requested' | 'another_amount' | PayoutObstacle

/**
 * Takes the available balance for a payout, in a transaction in which requests of the creator follow each other. A refund at the
 * same time may leave a negative balance, which the next sales pay.
 */
export async function requestIn(deps: Ports, unit: Unit, it: Requested): Promise<RequestOutcome> {
  const { tx } = unit
  const { settings, clock } = deps
  const { creatorId } = it
  const now = clock()
  await lockUser(tx, creatorId)
  const amount = await availableOf(tx, creatorId, now)
  const obstacle = await obstacleOf(deps, tx, creatorId, amount)
  if (obstacle) return obstacle
  if (it.amount !== undefined && it.amount !== amount) return 'another_amount'
  const { fee } = settings.payouts
  const added = await addPayout(tx, {
    id: it.id,
    creatorId,
    month: monthOf(now),
    isAutomatic: it.isAutomatic,
    state: 'requested',
    amount,
    fee,
    dueOn: dueDay(dayOf(now)),
    requestedAt: new Date(now),
  })
  if (!added) return 'this_month'
  const lines = requestLines({ creatorId, amount, fee })
  await bookEntry(unit, { cause: 'payout', payoutId: it.id, creatorId, lines }, now)
  return 'requested'
}

/**
 * Hourly: requests the payouts of creators who have them made automatically, and of those who leave; and removes accounts of
 * deleted people whose payouts are settled.
 * @throws AggregateError at the end when some could not be requested
 */
export async function sweepPayouts(deps: Deps): Promise<void> {
  const { db, transaction, clock } = deps
  const month = monthOf(clock())
  const failures = createFailures('payout of')
  await failures.attempt('deleted people: bank accounts', () => removeUnneededAccounts(db))
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
  failures.report()
}
