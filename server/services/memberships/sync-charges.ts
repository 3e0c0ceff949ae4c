// Makes the provider charge what a membership says.
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import type { PaymentPorts } from '#server/services/payments/ports.ts'
import {
  findMembership,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import type { JobData } from '#server/store/jobs.ts'
import { addTask, closeTasksOf, listTasksOf } from '#server/store/payments/operator-tasks.ts'
import { readStop } from '#server/store/payments/stored-refs.ts'
import { publishMembership } from './change.ts'

/** Tasks about the recurring charge of a membership; at most one of them is open. */
export const recurringTasks = ['stop_charges', 'change_amount', 'resume_charges'] as const
type RecurringTask = (typeof recurringTasks)[number]

/** What the provider has to charge each month, whole yen; 0 for nothing. */
export const wantedAmount = ({ state, price, nextPrice }: MembershipRow): number =>
  state === 'active' || state === 'past_due' ? (nextPrice ?? price) : 0

/**
 * Compares what the provider of a membership charges with what it has to charge, and changes it there. A repeat changes
 * nothing. What the provider cannot do makes a task, also when it is not open any more.
 * @throws when another process does the same now, so that the job is tried again
 */
export async function syncCharges(ports: PaymentPorts, membershipId: string): Promise<void> {
  // Two changes must reach the provider in their order.
  const result = await ports.database.exclusively(`membership ${membershipId}`, () =>
    sync(ports, membershipId),
  )
  if (result === 'busy') throw new Error('the recurring charge is being changed')
}

async function sync(ports: PaymentPorts, membershipId: string): Promise<void> {
  const { db, transaction, clock, paymentProviders } = ports
  const row = await findMembership(db, membershipId)
  if (!row) return
  const amount = wantedAmount(row)
  const kind = kindOf(row, amount)
  const perform = kind && performed(paymentProviders.of(row.provider), kind)
  const isDone = kind === undefined || perform !== undefined
  await perform?.(row.recurringRef, amount)
  await transaction(async (unit) => {
    const { tx } = unit
    const current = await lockMembership(tx, membershipId)
    // A change in between has a job of its own.
    if (!current || wantedAmount(current) !== amount) return
    if (isDone) {
      await closeTasksOf(tx, recurringTasks, { paymentId: membershipId }, { now: clock(), why: 'settled' })
      await setMembership(tx, membershipId, { chargedAmount: amount })
      if (kind) publishMembership(unit, current)
      return
    }
    const open = await listTasksOf(tx, recurringTasks, membershipId)
    if (open.some((it) => it.kind === kind && it.details.amount === amount)) return
    await closeTasksOf(tx, recurringTasks, { paymentId: membershipId }, { now: clock(), why: 'settled' })
    const details = { provider: row.provider, recurringRef: row.recurringRef, amount }
    await addTask(tx, { kind, paymentId: membershipId, details }, clock(), current.paidUntil.getTime())
    publishMembership(unit, current)
  })
}

function kindOf({ chargedAmount }: MembershipRow, amount: number): RecurringTask | undefined {
  if (chargedAmount === amount) return undefined
  if (amount === 0) return 'stop_charges'
  return chargedAmount === 0 ? 'resume_charges' : 'change_amount'
}

/** How the provider does it; undefined when it cannot. */
function performed(
  provider: PaymentProvider | undefined,
  kind: RecurringTask,
): ((recurringRef: string, amount: number) => Promise<void>) | undefined {
  if (kind === 'stop_charges') return provider?.stop
  return kind === 'resume_charges' ? provider?.resume : provider?.changeAmount
}

/** Stops a recurring charge that belongs to no membership. A repeat changes nothing. */
export async function stopRecurring(ports: PaymentPorts, asked: JobData['recurring.stop']): Promise<void> {
  const { paymentProviders, transaction, clock } = ports
  const { provider, recurringRef } = readStop(asked, paymentProviders.current?.name ?? '')
  const stop = paymentProviders.of(provider)?.stop
  if (!stop) return
  await stop(recurringRef)
  await transaction(({ tx }) =>
    closeTasksOf(tx, ['stop_charges'], { recurringRef }, { now: clock(), why: 'settled' }),
  )
}
