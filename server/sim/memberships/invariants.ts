// The invariants of memberships that hold after each step of a story.
import { checkLedger, isRefunded, type Violation } from '#server/sim/invariants.ts'
import { dayAfter, renewedUntil } from '#server/sim/months.ts'
import type { TrueCharge } from '#server/sim/provider.ts'
import { checkAccess } from './access.ts'
import { checkCards } from './cards.ts'
import { type ClubMembership, type ClubObserved, membershipOfPayment } from './observed.ts'
import type { ClubStory } from './story.ts'
import { type Taken, takenOf } from './taken.ts'

function checkTruth({ charges, payments }: ClubObserved, taken: readonly Taken[]): string[] {
  const numbers = charges.map((it) => it.gid)
  const of = new Map(payments.map((it) => [it.id, membershipOfPayment(it)]))
  const doubled = numbers.filter((it, i) => numbers.indexOf(it) !== i)
  return [
    ...doubled.map((it) => `${it} is recorded twice`),
    ...taken.flatMap(({ charge: { gid, amount }, payment, truth }) => {
      const isTrue = truth?.amount === amount && of.get(truth.paymentId) === membershipOfPayment(payment)
      return isTrue ? [] : [`${gid} of ${amount} yen was never charged so`]
    }),
  ]
}

function checkReturned(taken: readonly Taken[]): string[] {
  return taken.flatMap(({ charge, truth }) =>
    (truth?.returned ?? 0) > 0 && !charge.is_surplus && !isRefunded(charge)
      ? [`${charge.gid} was returned, but it is a sale`]
      : [],
  )
}

function checkStates({ payments, charges }: ClubObserved): string[] {
  return payments.flatMap(({ id, state, charge_gid: gid }) => {
    const sale = charges.find((it) => it.payment_id === id && !it.is_surplus)
    const must = sale ? (isRefunded(sale) ? 'refunded' : 'paid') : 'open'
    const is = state === 'paid' || state === 'refunded' ? state : 'open'
    return is === must && gid === (sale?.gid ?? null) ? [] : [`a payment is ${state}, its sale is ${must}`]
  })
}

function checkPrices({ confirmed }: ClubStory, { payments }: ClubObserved): string[] {
  return payments.flatMap((payment) => {
    const { amount } = payment
    const prices = confirmed.get(membershipOfPayment(payment))?.prices
    return prices?.has(amount) === true
      ? []
      : [`${amount} yen of a member who confirmed ${[...(prices ?? [])].join(', ')}`]
  })
}

/** Ends of the period that a charge may pay: of its true moment, or of one at which a notice of it arrived. */
function endsOf(truth: TrueCharge, day: number, isFirst: boolean): Set<number> {
  const moments = [truth.chargedAt, ...truth.arrivals]
  return new Set(moments.map((it) => (isFirst ? dayAfter(it, day) : renewedUntil(it, day))))
}

function checkPeriods(taken: readonly Taken[]): string[] {
  const paid = new Set<string>()
  return taken.flatMap(({ charge, payment, membership, truth }) => {
    if (charge.is_surplus || !truth) return []
    const { until } = payment
    if (!membership || until === null) return [`${charge.gid} is a sale without a period`]
    const key = `${membership.id} ${until}`
    const isTwice = paid.has(key)
    paid.add(key)
    const ends = endsOf(truth, payment.charge_day, payment.id === membership.id || payment.card_of !== null)
    return [
      ...(isTwice ? [`two charges paid one period of ${membership.id}`] : []),
      ...(ends.has(until) ? [] : [`a charge of ${iso(truth.chargedAt)} paid until ${iso(until)}`]),
    ]
  })
}

export const iso = (at: number): string => new Date(at).toISOString()

/** Charges that were recorded by this step and paid for nothing, although they were due, and their period was not paid. */
function checkSurplus(story: ClubStory, before: ClubObserved, taken: readonly Taken[]): string[] {
  const { recorded } = story
  const fresh = taken.filter(({ charge }) => !recorded.has(charge.gid))
  for (const { charge } of fresh) recorded.add(charge.gid)
  return fresh.flatMap(({ charge, payment, membership, truth }) => {
    const earlier = before.memberships.find((it) => it.id === membership?.id)
    if (!charge.is_surplus || !truth || !membership || membership.acid !== truth.acid) return []
    if (!isCharged(earlier) || !isCharged(membership) || truth.amount !== membership.price) return []
    // A form that pays for an unpaid month may find it paid by the card before.
    const isOfForm = payment.card_of !== null
    const ends = endsOf(truth, payment.charge_day, isOfForm)
    const isPaid = taken.some(
      (it) => !it.charge.is_surplus && it.membership === membership && ends.has(it.payment.until ?? 0),
    )
    return isPaid ? [] : [`a charge of ${iso(truth.chargedAt)} for an unpaid period is surplus`]
  })
}

const isCharged = (it: ClubMembership | undefined) => it?.state === 'active' || it?.state === 'past_due'

function checkOne({ memberships }: ClubObserved): string[] {
  const runs = memberships.filter((it) => it.state !== 'ended').map((it) => it.user_id)
  return new Set(runs).size === runs.length ? [] : ['a fan has two running memberships of one creator']
}

/** Whether what ended a membership has really happened. */
function checkReasons(story: ClubStory, { memberships, payments }: ClubObserved): string[] {
  const { confirmed, blocks, leaving, plans, servers, creator } = story
  return memberships.flatMap(({ id, user_id: fanId, why, state }) => {
    if (why === null) return []
    const known = confirmed.get(id)
    // A form that was paid twice has two recurring charges, and a stop does not say which of them (decision 068).
    const forms = new Set([id, ...payments.filter((it) => it.card_of === id).map((it) => it.id)])
    const ofForm = [...servers.provider.recurring.values()].filter((it) => forms.has(it.paymentId))
    const isStopped = ofForm.some((it) => it.wasStoppedThere || !it.isRunning)
    const happened: Record<string, boolean> = {
      cancelled: known?.wasStopped === true || isStopped || blocks.has(`by ${fanId}`),
      payment_failed: isStopped,
      not_paid: true,
      plan_closed: plans.some((it) => it.endsAt !== null),
      member_left: leaving.has(fanId),
      creator_left: leaving.has(creator.id),
      refunded: known?.wasRefunded === true,
      blocked: blocks.has(`of ${fanId}`),
    }
    return happened[why] === true ? [] : [`a membership is ${state} since ${why}, which did not happen`]
  })
}

/** Months that were paid beyond the end of a membership that its creator ended. */
function checkEndedByCreator({ memberships }: ClubObserved, taken: readonly Taken[]): string[] {
  const ended = new Map(memberships.map((it) => [it.id, it]))
  return taken.flatMap(({ charge, payment, membership }) => {
    const { why, ended_at: endedAt } = ended.get(membership?.id ?? '') ?? {}
    const isByCreator = why === 'blocked' || (why === 'creator_left' && membership?.state === 'ended')
    const isOver = (payment.until ?? 0) <= (endedAt ?? 0)
    return !isByCreator || charge.is_surplus || isRefunded(charge) || isOver
      ? []
      : [`a month of a membership that ended since ${why} is not refunded`]
  })
}

/** A plan is joined only within its limit, before its end is announced, and without a block. */
function checkJoins({ plans, fans }: ClubStory, before: ClubObserved, observed: ClubObserved): string[] {
  const known = new Set(before.memberships.map((it) => it.id))
  const fresh = observed.memberships.filter((it) => !known.has(it.id))
  return fresh.flatMap(({ user_id: fanId, plan_id: planId }) => {
    const plan = plans.find((it) => it.id === planId)
    const fan = fans.find((it) => it.member.id === fanId)
    const own = observed.grants.filter((it) => it.plan_id === planId && !it.is_included)
    const count = new Set(own.map((it) => it.user_id)).size
    return [
      ...(count > (plan?.memberLimit ?? count)
        ? [`a plan for ${plan?.memberLimit} has ${count} members`]
        : []),
      ...(plan?.endsAt === null ? [] : ['a plan that ends is joined']),
      ...(fan?.blocks === false && !fan.isBlocked ? [] : ['a plan is joined in spite of a block']),
    ]
  })
}

/** The invariants that hold after every step. */
export function checkClub(story: ClubStory, observed: ClubObserved): Violation[] {
  const before = story.observed
  const taken = takenOf(story, observed)
  const checks: readonly (readonly [Violation['of'], readonly string[]])[] = [
    ['true', checkTruth(observed, taken)],
    ['settled', checkReturned(taken)],
    ['state', checkStates(observed)],
    ['price', checkPrices(story, observed)],
    ['period', [...checkPeriods(taken), ...checkSurplus(story, before, taken)]],
    ['one', checkOne(observed)],
    ['reason', [...checkReasons(story, observed), ...checkEndedByCreator(observed, taken)]],
    ['joined', checkJoins(story, before, observed)],
    ['card', checkCards(story, observed)],
  ]
  return [
    ...checkLedger(observed),
    ...checks.flatMap(([of, says]) => says.map((it) => ({ of, says: it }))),
    ...checkAccess(story, observed, taken),
  ]
}
