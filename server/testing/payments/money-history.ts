// A month in which everything happens to money, and its payout.
import { newId } from '#contract/ids.ts'
import { dayAfter, dayOf } from '#server/rules/money/periods.ts'
import { decide, dispute, give, recordSettlement, refund } from '#server/testing/adjustments/adjustments.ts'
import { addedPlan, charge, joined, openClub, runJobs } from '#server/testing/memberships/club.ts'
import { approve, makeFile, operator, recordFee, requested, settle } from '#server/testing/payouts/payouts.ts'
import { validate } from '#server/testing/people/leaving.ts'
import { type Member, signUp } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { runRefunds } from './bookings.ts'
import { buy } from './bought.ts'
import { begun, notice, noticeFields, pricedPost } from './shop.ts'
import { closeAt, inTokyo } from './sold.ts'

const HOUR = 3600_000

async function ok(reply: Promise<{ readonly statusCode: number; readonly body: string }>): Promise<void> {
  const { statusCode, body } = await reply
  if (statusCode !== 200) throw new Error(`${statusCode}: ${body}`)
}

/** Sales, refunds, disputes, a gift, a membership of two months, a settlement, statements, and a payout with what the bank took for it. */
export async function moneyHistory(world: World): Promise<void> {
  world.clock.now = inTokyo('2026-11-03T12:00')
  const [by, second] = [await operator(world), await operator(world)]
  const { creator, fan, plan } = await openClub(world, { price: 800 })
  await addedPlan(world, creator, { name: '朝の部屋', price: 300 })
  world.clock.now += HOUR
  await runJobs(world)
  const post = await pricedPost(world, creator, 5000)
  const sold = async (as?: Member) => buy(world, as ?? (await signUp(world)), post, 5000)
  const [part, whole, won, covered] = [await sold(fan), await sold(), await sold(), await sold()]
  await validate(world, by)
  await ok(refund(world, by, part, { amount: 1234, left: 5000 }))
  await ok(refund(world, by, whole, { amount: 5000, left: 5000 }))
  for (const [id, outcome] of [
    [won, 'won'],
    [covered, 'covered'],
  ] as const) {
    const disputeId = newId()
    await ok(dispute(world, by, id, { id: disputeId, left: 5000, fee: 1500 }))
    await ok(decide(world, by, disputeId, outcome))
  }
  const late = await signUp(world)
  const { fields } = await begun(world, late, post, { price: 5000 })
  for (let n = 0; n < 2; n++) await notice(world, noticeFields(fields))
  const joining = await joined(world, await signUp(world), plan.id, 800)
  const ends_on = dayAfter(dayOf(world.clock.now), 60)
  await ok(give(world, by, { plan_id: plan.id, member: fan.email, ends_on, paid: 450 }))
  await ok(
    recordSettlement(world, by, {
      day: dayOf(world.clock.now),
      received: 9000,
      fee: 300,
      latest: null,
    }),
  )
  await runRefunds(world)
  await closeAt(world, '2026-12-01T02:00')
  const payout = await requested(world, creator)
  await validate(world, by)
  await ok(approve(world, by, payout))
  await validate(world, second)
  const [file, fee] = [newId(), newId()]
  await ok(makeFile(world, second, file))
  await ok(settle(world, second, payout, { is: 'paid' }))
  await ok(recordFee(world, second, file, 440, { id: fee }))
  await ok(recordFee(world, second, file, 550, { replaces: fee }))
  world.clock.now = inTokyo('2026-12-03T12:00')
  await charge(world, joining, { gid: newId() })
  await runJobs(world)
  await closeAt(world, '2027-01-01T02:00')
}
