// Requests a payout of what is available, and shows a creator their payouts.
import type { PayoutObstacle, PayoutOverview, PayoutView } from '#contract/payouts/payouts.ts'
import type { Deps, Unit } from '#server/deps.ts'
import { dayAfter, dayOf, dayRange, monthOf } from '#server/rules/money/periods.ts'
import { balanceOf } from '#server/rules/money/sales.ts'
import { dueDay } from '#server/rules/payouts/bank-days.ts'
import { type PayoutTerms, termsOf } from '#server/rules/payouts/last-payout.ts'
import { requestLines } from '#server/rules/payouts/payout.ts'
import type { Db } from '#server/store/database.ts'
import { addTaxTask } from './tax-check.ts'
import { bookEntry } from '#server/services/payments/book.ts'
import { findBankAccount } from '#server/store/payouts/bank-accounts.ts'
import { findPayees } from '#server/store/payouts/payees.ts'
import {
  addPayout,
  hasPayoutOf,
  isAutomatic,
  lastReturned,
  listPayoutsOf,
  type PayoutRow,
} from '#server/store/payouts/payouts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { balanceParts } from '#server/store/sales/sums.ts'
import { oldPartOf } from './old-part.ts'

/** Payouts that the overview lists. */
const SHOWN = 100

type Ports = Pick<Deps, 'settings' | 'clock'>

/** What can be paid out now, yen. */
export async function availableOf(db: Db, creatorId: string, now: number): Promise<number> {
  const tomorrow = dayRange(dayAfter(dayOf(now))).from
  return balanceOf(await balanceParts(db, creatorId, tomorrow)).available
}

interface Payable extends Pick<PayoutTerms, 'minimum'> {
  readonly creatorId: string
  readonly available: number
  /** The account was deleted: an admin may have had it requested again. */
  readonly isGone: boolean
}

/** Why the creator cannot be paid now; undefined when they can. */
async function obstacleOf(
  { clock }: Ports,
  db: Db,
  { creatorId, available, minimum, isGone }: Payable,
): Promise<PayoutObstacle | undefined> {
  const account = await findBankAccount(db, creatorId)
  if (!account) return 'no_account'
  if (await hasPayoutOf(db, creatorId, monthOf(clock()))) return 'this_month'
  const returned = isGone ? undefined : await lastReturned(db, creatorId)
  if (returned && returned >= account.changedAt) return 'returned'
  return available < minimum ? 'too_little' : undefined
}

export async function overviewOf(deps: Deps, creatorId: string): Promise<PayoutOverview> {
  const { db, settings, clock } = deps
  const available = await availableOf(db, creatorId, clock())
  const { minimum, fee } = settings.payouts
  return {
    automatic: await isAutomatic(db, creatorId),
    minimum,
    fee,
    available,
    due_on: dueDay(dayOf(clock())),
    asks_residence: (await findBankAccount(db, creatorId))?.residence === null,
    obstacle: (await obstacleOf(deps, db, { creatorId, available, minimum, isGone: false })) ?? null,
    old: await oldPartOf(db, creatorId, clock()),
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
  tax_check: row.taxCheck,
  withheld: row.withheld,
  tax_reason: row.taxReason,
})

export interface Requested {
  readonly id: string
  readonly creatorId: string
  readonly isAutomatic: boolean
  /** The amount that the creator has seen; undefined takes what is available. */
  readonly amount: number | undefined
  /** Other terms than the usual ones; a deleted account has its own. */
  readonly terms?: PayoutTerms
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
  const isGone = (await findPayees(tx, [creatorId])).get(creatorId)?.state === 'gone'
  const { minimum, fee } = termsOf(isGone, it.terms ?? settings.payouts)
  const obstacle = await obstacleOf(deps, tx, { creatorId, available: amount, minimum, isGone })
  if (obstacle) return obstacle
  if (it.amount !== undefined && it.amount !== amount) return 'another_amount'
  const isAbroad = (await findBankAccount(tx, creatorId))?.residence === 'abroad'
  const added = await addPayout(tx, {
    id: it.id,
    creatorId,
    month: monthOf(now),
    isAutomatic: it.isAutomatic,
    state: isAbroad ? 'held' : 'requested',
    taxCheck: isAbroad ? 'waits' : null,
    amount,
    fee,
    dueOn: dueDay(dayOf(now)),
    requestedAt: new Date(now),
  })
  if (!added) return 'this_month'
  if (isAbroad) await addTaxTask(tx, { id: it.id, creatorId, amount: amount - fee }, now)
  const lines = requestLines({ creatorId, amount, fee })
  await bookEntry(unit, { cause: 'payout', payoutId: it.id, creatorId, lines }, now)
  return 'requested'
}
