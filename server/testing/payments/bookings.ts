// What payments have left in the ledger, the charges and the operator's tasks.
import { returnCharge } from '#server/services/payments/refund.ts'
import { takeJobs } from '#server/testing/people/emails.ts'
import type { World } from '#server/testing/world.ts'
import { ledgerOf, rowsOf } from './shop.ts'

/** What a sale of 500 yen books. */
export const sale = { provider_receivable: 500, creator_payable: -450, platform_fee: -46, fee_tax: -4 }

type Balances = Readonly<Record<string, number>>

/** Balances that have changed since `before`, in yen, by account. */
export async function bookingsSince(world: World, before: Balances): Promise<Balances> {
  const now = await ledgerOf(world)
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const changed = names.map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const)
  return Object.fromEntries(changed.filter(([, sum]) => sum !== 0))
}

export const chargesOf = (world: World, paymentId: string) =>
  rowsOf<{ gid: string; is_surplus: boolean }>(
    world,
    'select gid, is_surplus from charges where payment_id = $1 order by id',
    [paymentId],
  )

export const tasksOf = (world: World, paymentId: string) =>
  rowsOf<{ kind: string; done: boolean }>(
    world,
    'select kind, done_at is not null as done from operator_tasks where payment_id = $1 order by id',
    [paymentId],
  )

/** Runs the enqueued jobs that return charges. */
export async function runRefunds(world: World): Promise<void> {
  for (const it of await takeJobs(world, 'payment.refund')) await returnCharge(world.deps, it.chargeId)
}
