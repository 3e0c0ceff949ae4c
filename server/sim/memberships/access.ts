// Whether what is open to members is exactly what they paid for.
import { isRefunded, type Violation } from '#server/sim/invariants.ts'
import { DAY } from '#server/sim/months.ts'
import type { ClubMembership, ClubObserved, Grant } from './observed.ts'
import type { ClubStory, SoldPlan } from './story.ts'
import type { Taken } from './taken.ts'

/** How long a membership without a charge may stay open, ms. */
const GRACE = 14 * DAY

/** Time after which an edit of a plan opens something to its members, ms. */
const SETTLING = 10 * 60_000

/** Reasons that close a membership before the end of what was paid. */
const revocations = new Set(['refunded', 'blocked', 'member_left', 'creator_left'])

/** Unrefunded sales whose period is not over. */
const paying = (taken: readonly Taken[], now: number) =>
  taken.filter(({ charge, payment }) => {
    const isSale = !charge.is_surplus && !isRefunded(charge)
    return isSale && payment.until !== null && payment.until > now
  })

/** Nothing is open without a charge, except for the grace of a late renewal and to the announced end of a plan. */
function checkOpen(story: ClubStory, observed: ClubObserved, taken: readonly Taken[]): Violation[] {
  const now = story.servers.steady.clock.now
  const members = new Map(observed.memberships.map((it) => [it.id, it]))
  const paid = new Set(paying(taken, now).map((it) => it.membership?.id))
  return observed.grants.flatMap((grant): Violation[] => {
    if (grant.complimentary_id !== null) return checkGift(story, grant)
    const membership = members.get(grant.membership_id ?? '')
    if (!membership) return [{ of: 'access', says: 'a plan is open without a membership' }]
    if (!mayOpen(story, membership, grant))
      return [{ of: 'access', says: 'a plan is open that the plan of its membership does not open' }]
    if (paid.has(membership.id) || isInGrace(story, membership, now)) return []
    const isReturned = taken.some(
      ({ charge, payment, membership: of }) =>
        of?.id === membership.id && isRefunded(charge) && (payment.until ?? 0) > now,
    )
    const says = `a plan is open to a membership that is ${membership.state} and paid until ${new Date(membership.paid_until).toISOString()}`
    return [{ of: isReturned ? 'refunded' : 'access', says }]
  })
}

/** A gift opens its plans, to its fan, while it runs. */
function checkGift({ gifts, servers }: ClubStory, grant: Grant): Violation[] {
  const gift = gifts.find((it) => it.id === grant.complimentary_id)
  const isRight =
    gift?.fanId === grant.user_id && gift.plans.has(grant.plan_id) && gift.endsAt > servers.steady.clock.now
  return isRight ? [] : [{ of: 'access', says: 'a plan is open by a gift that does not open it' }]
}

function mayOpen(story: ClubStory, it: ClubMembership, grant: Grant): boolean {
  const own = it.plan_id ?? ''
  if (grant.plan_id === own) return story.confirmed.get(it.id)?.plans.has(own) === true && !grant.is_included
  const had = story.rights.get(keyOf(it.id, own))?.may.has(grant.plan_id) === true
  return grant.is_included && (had || hasOpened(story, it, grant.plan_id))
}

/** Whether the plan of a membership opened another one long enough, at the price that its member agreed to. */
function hasOpened({ plans, agreed, servers }: ClubStory, it: ClubMembership, planId: string): boolean {
  const [own, other] = [it.plan_id, planId].map((id) => offersOf(plans.find((plan) => plan.id === id)))
  const price = agreed.get(it.id) ?? 0
  return (own ?? []).some(
    (one) =>
      one.opensCheaper &&
      (other ?? []).some((cheap) => {
        const until = Math.min(one.until, cheap.until, servers.steady.clock.now)
        return cheap.price < price && until - Math.max(one.from, cheap.from) >= SETTLING
      }),
  )
}

const offersOf = (plan: SoldPlan | undefined) =>
  (plan?.history ?? []).map((it, i, all) => ({ ...it, until: all[i + 1]?.from ?? Number.POSITIVE_INFINITY }))

function isInGrace({ sweeps, plans }: ClubStory, it: ClubMembership, now: number): boolean {
  if (it.state === 'ended') return false
  if (it.state === 'cancelling')
    return it.why === 'plan_closed' && plans.some((plan) => plan.endsAt !== null && plan.endsAt > now)
  // A sweep makes it past due, and a later one ends it.
  return sweeps.filter((at) => at >= it.paid_until + GRACE).length < 2
}

/** Everything that was paid for is open, unless it was revoked. */
function checkPaid(story: ClubStory, observed: ClubObserved, taken: readonly Taken[]): Violation[] {
  const now = story.servers.steady.clock.now
  return paying(taken, now).flatMap(({ membership, payment }): Violation[] => {
    if (!membership) return []
    const { id, state, why, plan_id: planId } = membership
    const isRevoked = state === 'ended' && revocations.has(why ?? '')
    const isOpen = observed.grants.some((it) => it.membership_id === id && it.plan_id === planId)
    if (isRevoked || isOpen || planId === null) return []
    const until = new Date(payment.until ?? 0).toISOString()
    return [{ of: 'paid', says: `a plan paid until ${until} is closed; its membership is ${state}: ${why}` }]
  })
}

/** Notes what each new membership, and each that has another plan, has to open and may open from now on. */
function noteRights(story: ClubStory, { memberships }: ClubObserved): void {
  const { plans, rights, agreed, checkedAt } = story
  const isSettled = ({ history }: SoldPlan) => (history.at(-1)?.from ?? 0) <= checkedAt - SETTLING
  for (const { id, plan_id: planId, price, state } of memberships) {
    agreed.set(id, Math.max(price, agreed.get(id) ?? 0))
    const plan = plans.find((it) => it.id === planId)
    if (!plan || state === 'ended' || rights.has(keyOf(id, planId))) continue
    const cheaper = plans.filter((it) => plan.opensCheaper && it.price < price)
    const settled = cheaper.filter((it) => isSettled(plan) && isSettled(it))
    const idsOf = (some: readonly SoldPlan[]) => new Set([plan, ...some].map((it) => it.id))
    rights.set(keyOf(id, planId), { must: idsOf(settled), may: idsOf(cheaper) })
  }
  story.checkedAt = story.servers.steady.clock.now
}

const keyOf = (id: string, planId: string | null) => `${id} ${planId}`

/** Who pays for a plan, or was given it and the gift runs, sees everything that it opens. */
function checkOpened(story: ClubStory, observed: ClubObserved, taken: readonly Taken[]): Violation[] {
  const now = story.servers.steady.clock.now
  const open = new Set(observed.grants.map((it) => keyOf(it.user_id, it.plan_id)))
  const missing = (userId: string, planIds: ReadonlySet<string>, of: string): Violation[] =>
    [...planIds]
      .filter((it) => !open.has(keyOf(userId, it)))
      .map((it) => ({ of: 'opened', says: `${it} is closed to a fan who has ${of}` }))
  const paid = paying(taken, now).flatMap(({ membership: it }) => {
    if (!it || (it.state === 'ended' && revocations.has(it.why ?? ''))) return []
    return missing(it.user_id, story.rights.get(keyOf(it.id, it.plan_id))?.must ?? new Set(), 'paid')
  })
  const given = story.gifts.flatMap((it) => {
    const isGone = story.leaving.has(it.fanId) || story.leaving.has(story.creator.id)
    return isGone || it.endsAt <= now ? [] : missing(it.fanId, it.plans, 'a gift')
  })
  return [...paid, ...given]
}

export function checkAccess(story: ClubStory, observed: ClubObserved, taken: readonly Taken[]): Violation[] {
  noteRights(story, observed)
  return [
    ...checkOpen(story, observed, taken),
    ...checkPaid(story, observed, taken),
    ...checkOpened(story, observed, taken),
  ]
}
