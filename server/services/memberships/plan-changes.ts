// Tells members what their creator changed about their plan: its end, and its price.
import type { PaymentPorts } from '#server/services/payments/ports.ts'
import {
  findMemberships,
  listRunning,
  lockMembership,
  setMembership,
} from '#server/store/memberships/memberships.ts'
import { findPlan } from '#server/store/plans/plans.ts'
import { announceClosing, announcePrice } from './messages.ts'
import { revokeNext } from './next.ts'
import { atOf, BATCH, MOST, paysBeyond, stopCharges } from './stop.ts'

/**
 * Tells a batch of members that their plan ends, stops charges that would pay for more than that, and takes changes to
 * this plan back. Enqueues the next batch.
 */
export async function closePlanOf(
  ports: PaymentPorts,
  { planId, after }: { readonly planId: string; readonly after: string },
): Promise<void> {
  const { db, transaction } = ports
  const endsAt = (await findPlan(db, planId))?.endsAt?.getTime()
  if (endsAt === undefined) return
  if (after === '')
    for (const id of await listRunning(db, { nextPlanId: planId }, '', MOST))
      await transaction((unit) => revokeNext(unit, id))
  const ids = await listRunning(db, { planId }, after, BATCH)
  for (const id of ids)
    await transaction(async (unit) => {
      const row = await lockMembership(unit.tx, id)
      if (!row || row.state === 'ended') return
      const left = paysBeyond(row, endsAt) ? await stopCharges(ports, unit, row, 'plan_closed') : row
      await announceClosing(unit, left, endsAt, atOf(ports))
    })
  const last = ids.at(-1)
  if (last !== undefined && ids.length === BATCH)
    await transaction(({ enqueue }) => enqueue('membership.plan-closing', { planId, after: last }))
}

/** Tells a batch of members that the price of their plan is another one for new members, and enqueues the next batch. */
export async function announcePriceTo(
  ports: PaymentPorts,
  { planId, price, after }: { readonly planId: string; readonly price: number; readonly after: string },
): Promise<void> {
  const { db, transaction } = ports
  // A later change has a job of its own.
  if ((await findPlan(db, planId))?.price !== price) return
  const ids = await listRunning(db, { planId }, after, BATCH)
  await transaction(async (unit) => {
    const rows = await findMemberships(unit.tx, ids)
    for (const row of rows.values()) {
      if (row.state === 'cancelling' || row.price === price || row.informedPrice === price) continue
      await announcePrice(unit, row, price, atOf(ports))
      await setMembership(unit.tx, row.id, { informedPrice: price })
    }
    const last = ids.at(-1)
    if (last !== undefined && ids.length === BATCH)
      await unit.enqueue('membership.plan-price', { planId, price, after: last })
  })
}
