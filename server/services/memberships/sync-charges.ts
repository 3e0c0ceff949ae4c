// Makes the provider charge what a membership says.
import type { PaymentProvider } from '#server/adapters/payments/provider.ts'
import type { PaymentPorts } from '#server/services/payments/ports.ts'
import {
  findMembership,
  lockMembership,
  type MembershipRow,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { addTask, closeTasksOf, listTasksOf, type TaskKind } from '#server/store/payments/operator-tasks.ts'
import { publishMembership } from './change.ts'

/** Tasks about the recurring charge of a membership; at most one of them is open. */
const kinds: readonly TaskKind[] = ['stop_charges', 'change_amount', 'resume_charges']

/** What the provider has to charge each month, whole yen; 0 for nothing. */
export const wantedAmount = ({ state, price, nextPrice }: MembershipRow): number =>
  state === 'active' || state === 'past_due' ? (nextPrice ?? price) : 0

/**
 * Compares what the provider charges with what it has to charge, and changes it there. A repeat changes nothing. A
 * membership of a provider that is not configured now is left alone.
 * @throws when another process does the same now, so that the job is tried again
 */
export async function syncCharges(ports: PaymentPorts, membershipId: string): Promise<void> {
  const { database, paymentProvider: provider } = ports
  if (!provider) return
  // Two changes must reach the provider in their order.
  const result = await database.exclusively(`membership ${membershipId}`, () =>
    sync(ports, provider, membershipId),
  )
  if (result === 'busy') throw new Error('the recurring charge is being changed')
}

async function sync(ports: PaymentPorts, provider: PaymentProvider, membershipId: string): Promise<void> {
  const { db, transaction, clock } = ports
  const row = await findMembership(db, membershipId)
  if (!row || row.provider !== provider.name) return
  const amount = wantedAmount(row)
  const kind = kindOf(row, amount)
  const isDone = kind === undefined || (await perform(provider, row.acid, kind, amount)).is === 'done'
  await transaction(async (unit) => {
    const { tx } = unit
    const current = await lockMembership(tx, membershipId)
    // A change in between has a job of its own.
    if (!current || wantedAmount(current) !== amount) return
    if (isDone) {
      await closeTasksOf(tx, kinds, { paymentId: membershipId }, clock())
      await setMembership(tx, membershipId, { chargedAmount: amount })
      if (kind) publishMembership(unit, current)
      return
    }
    const open = await listTasksOf(tx, kinds, membershipId)
    if (open.some((it) => it.kind === kind && it.details['amount'] === amount)) return
    await closeTasksOf(tx, kinds, { paymentId: membershipId }, clock())
    const details = { acid: row.acid, amount }
    await addTask(tx, { kind, paymentId: membershipId, details }, clock(), current.paidUntil.getTime())
    publishMembership(unit, current)
  })
}

function kindOf({ chargedAmount }: MembershipRow, amount: number): TaskKind | undefined {
  if (chargedAmount === amount) return undefined
  if (amount === 0) return 'stop_charges'
  return chargedAmount === 0 ? 'resume_charges' : 'change_amount'
}

function perform(provider: PaymentProvider, acid: string, kind: TaskKind, amount: number) {
  if (kind === 'stop_charges') return provider.stop(acid)
  return kind === 'resume_charges' ? provider.resume(acid, amount) : provider.changeAmount(acid, amount)
}

/** Stops a recurring charge that belongs to no membership. A repeat changes nothing. */
export async function stopRecurring(ports: PaymentPorts, acid: string): Promise<void> {
  const { paymentProvider: provider, transaction, clock } = ports
  if (!provider || (await provider.stop(acid)).is === 'task') return
  await transaction(({ tx }) => closeTasksOf(tx, ['stop_charges'], { acid }, clock()))
}
