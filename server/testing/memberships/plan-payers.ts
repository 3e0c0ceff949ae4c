// Members with paid memberships of each state, for the access table.
import { newId } from '#contract/ids.ts'
import { sweepMemberships } from '#server/services/memberships/stop.ts'
import { refundPayment } from '#server/services/billing/refund-payment.ts'
import { addPlan } from '#server/store/plans/plans.ts'
import { call, type Member } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'
import { cancel, joined, joining, report, runJobs } from './club.ts'

const DAY = 24 * 3600_000

interface Plans {
  readonly creator: Member
  /** The plan that opens the posts, and its price in whole yen. */
  readonly planId: string
  readonly price: number
}

/** Performs something at an earlier time. */
async function earlier<T>({ clock }: World, days: number, work: () => Promise<T>): Promise<T> {
  const { now } = clock
  clock.now -= days * DAY
  try {
    return await work()
  } finally {
    clock.now = now
  }
}

type Name =
  | 'paidMember'
  | 'pastDueMember'
  | 'cancellingMember'
  | 'endedMember'
  | 'refundedMember'
  | 'joiningMember'
  | 'includedMember'
  | 'closedPlanMember'
  | 'blockedMember'

/** Members of the plan, and of dearer ones that open it too. */
export async function addPlanPayers(
  world: World,
  member: () => Promise<Member>,
  plans: Plans,
): Promise<Record<Name, Member>> {
  const { deps } = world
  const { creator, planId, price } = plans
  const [paidMember, cancellingMember, joiningMember] = [await member(), await member(), await member()]
  const [pastDueMember, refundedMember, blockedMember] = [await member(), await member(), await member()]
  await joined(world, paidMember, planId, price)
  await cancel(world, cancellingMember, (await joined(world, cancellingMember, planId, price)).id)
  await joining(world, joiningMember, planId, price)
  const late = await earlier(world, 32, () => joined(world, pastDueMember, planId, price))
  await report(world, late, '3')
  const { id } = await joined(world, refundedMember, planId, price)
  if (!(await refundPayment(deps, id, { actorId: creator.id, ip: '' })))
    throw new Error('a month of the access table was not paid')
  await joined(world, blockedMember, planId, price)
  await call(world, creator, 'PUT', `/blocks/${blockedMember.id}`)
  const left = { endedMember: await addEnded(world, await member(), plans) }
  const dear = await addDearMembers(world, [await member(), await member()], plans)
  await sweepMemberships(deps)
  await runJobs(world)
  return {
    paidMember,
    cancellingMember,
    joiningMember,
    pastDueMember,
    refundedMember,
    blockedMember,
    ...left,
    ...dear,
  }
}

/** A member who stopped, and whose month is over. */
function addEnded(world: World, as: Member, { planId, price }: Plans): Promise<Member> {
  return earlier(world, 40, async () => {
    await cancel(world, as, (await joined(world, as, planId, price)).id)
    return as
  })
}

/** A member of a dearer plan, and one of a dearer plan that has ended. */
async function addDearMembers(
  world: World,
  [includedMember, closedPlanMember]: readonly [Member, Member],
  { creator, price: cheaper }: Plans,
): Promise<Record<'includedMember' | 'closedPlanMember', Member>> {
  const price = cheaper + 600
  const add = async () => {
    const plan = { id: newId(), creatorId: creator.id, name: '特別', price }
    await addPlan(world.deps.db, { ...plan, createdAt: new Date(world.clock.now) })
    return plan.id
  }
  await joined(world, includedMember, await add(), price)
  await earlier(world, 80, async () => {
    const planId = await add()
    await joined(world, closedPlanMember, planId, price)
    const endsOn = new Date(world.clock.now + 35 * DAY).toISOString().slice(0, 10)
    await call(world, creator, 'POST', `/plans/${planId}/close`, { ends_on: endsOn })
    await runJobs(world)
  })
  return { includedMember, closedPlanMember }
}
