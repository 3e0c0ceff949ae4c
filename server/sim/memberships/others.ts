// What creators, admins and the provider do in a story of memberships.
import { newId } from '#contract/ids.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { killSoon } from '#server/sim/deliveries.ts'
import { runJobs } from '#server/sim/jobs.ts'
import { DAY } from '#server/sim/months.ts'
import { call } from '#server/testing/people/members.ts'
import { sweep } from './time.ts'
import { membershipOfPayment } from './observed.ts'
import { noteOffer, type ClubStory, type SoldPlan } from './story.ts'

const MINUTE = 60_000
const PRICES = [300, 500, 980, 1500] as const

/** Another price, limit, pause, or whether it opens cheaper plans. */
export async function changePlan(story: ClubStory): Promise<void> {
  const { random, plans, servers, creator } = story
  const plan = random.pick(plans)
  const changed: Partial<SoldPlan> = random.pick([
    { price: random.pick(PRICES) },
    { price: random.pick(PRICES) },
    { memberLimit: random.pick([null, 1, 2]) },
    { acceptsMembers: random.chance(0.7) },
    { opensCheaper: random.chance(0.5) },
  ])
  const body = {
    ...(changed.price !== undefined && { price: changed.price }),
    ...('memberLimit' in changed && { member_limit: changed.memberLimit }),
    ...(changed.acceptsMembers !== undefined && { accepts_members: changed.acceptsMembers }),
    ...(changed.opensCheaper !== undefined && { opens_cheaper: changed.opensCheaper }),
  }
  const reply = await call(servers.steady, creator, 'PATCH', `/plans/${plan.id}`, body)
  if (reply.statusCode !== 200) return
  Object.assign(plan, changed)
  if (changed.price !== undefined || changed.opensCheaper !== undefined)
    noteOffer(plan, servers.steady.clock.now)
}

/** A wrong price that is corrected some minutes later, while jobs and sweeps run. */
export async function mistypePrice(story: ClubStory): Promise<void> {
  const { random, plans, servers, creator } = story
  const { clock } = servers.steady
  const plan = random.pick(plans)
  for (const price of [random.pick([100, 450, 3000]), plan.price]) {
    const reply = await call(servers.steady, creator, 'PATCH', `/plans/${plan.id}`, { price })
    if (reply.statusCode !== 200) return
    plan.price = price
    noteOffer(plan, clock.now)
    clock.now += random.below(9) * MINUTE
    if (random.chance(0.5)) await sweep(story)
    if (random.chance(0.5)) await runJobs(story, false)
  }
}

export async function addCheaper(story: ClubStory): Promise<void> {
  const { random, plans, servers, creator } = story
  const plan: SoldPlan = {
    id: newId(),
    price: random.pick([100, 300]),
    opensCheaper: true,
    memberLimit: null,
    acceptsMembers: true,
    endsAt: null,
    history: [],
  }
  const reply = await call(servers.steady, creator, 'POST', '/plans', {
    id: plan.id,
    name: '新しいプラン',
    description: '',
    thanks: '',
    price: plan.price,
    member_limit: null,
    accepts_members: true,
    opens_cheaper: true,
    back_numbers: 'all',
  })
  if (reply.statusCode !== 200) return
  noteOffer(plan, servers.steady.clock.now)
  plans.push(plan)
}

export async function closePlan({ random, plans, servers, creator }: ClubStory): Promise<void> {
  const plan = random.pick(plans)
  const at = servers.steady.clock.now + random.between(30, 75) * DAY + 9 * 3600_000
  const day = new Date(at).toISOString().slice(0, 10)
  const reply = await call(servers.steady, creator, 'POST', `/plans/${plan.id}/close`, { ends_on: day })
  if (reply.statusCode === 200) plan.endsAt = Date.parse(`${day}T00:00:00+09:00`) + DAY
}

/** An admin refunds any month, at times by two servers at once. */
export async function refund(story: ClubStory): Promise<void> {
  const { random, servers, creator, observed, confirmed } = story
  const payment = random.pick(observed.payments)
  const { id } = payment
  const known = confirmed.get(membershipOfPayment(payment))
  if (known) known.wasRefunded = true
  const isKilled = random.chance(0.3)
  if (isKilled) killSoon(story)
  const refundBy = ({ deps }: typeof servers.steady) =>
    refundPayment(deps, id, { actorId: creator.id, ip: '' }).catch(() => false)
  if (random.chance(0.3)) await Promise.all([refundBy(servers.fragile), refundBy(servers.steady)])
  else await refundBy(isKilled ? servers.fragile : servers.steady)
  servers.crashes.restart()
}

/** The buyer stops a recurring charge at the provider, which reports it, or not. */
export function stopThere({ random, servers, waiting }: ClubStory): void {
  const runs = [...servers.provider.recurring.values()].filter((it) => it.isRunning)
  if (runs.length === 0) return
  const it = random.pick(runs)
  Object.assign(it, { isRunning: false, wasStoppedThere: true })
  const fields = random.chance(0.3) ? { acid: it.acid } : { cod: it.paymentId, acid: it.acid }
  const query = new URLSearchParams({ rst: '4', ...fields }).toString()
  if (random.chance(0.6)) waiting.push({ query, charge: null })
}
