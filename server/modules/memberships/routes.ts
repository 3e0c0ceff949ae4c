// Routes of memberships: joining, stopping and changing one.
import type { FastifyInstance } from 'fastify'
import { changeMembershipCard, getMembershipCard } from '#contract/memberships/card.ts'
import {
  beginMembership,
  cancelMembership,
  changeMembership,
  getPlanOrder,
  resumeMembership,
  revokeMembershipChange,
} from '#contract/memberships/memberships.ts'
import { MIN_AGE } from '#contract/limits.ts'
import { ageOn } from '#contract/rules.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { addressOf, perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { RETURN_MS } from '#server/rules/money/membership.ts'
import { chargeDayOf, daysUntil, periodEnd } from '#server/rules/money/periods.ts'
import { endIfOver } from '#server/services/memberships/change.ts'
import { cardOffer } from '#server/services/memberships/card.ts'
import { returnUntil } from '#server/services/memberships/returning.ts'
import { planViewOf, membershipViewOf } from '#server/services/memberships/views.ts'
import { beginFlow } from '#server/services/payments/begin.ts'
import { networkMacOf } from '#server/services/payments/identifiers.ts'
import { begunView } from '#server/services/payments/payment-form.ts'
import { personView } from '#server/services/people/person-view.ts'
import { planCardOf } from '#server/services/plans/plan-views.ts'
import { isIdentified } from '#server/store/identity/identity.ts'
import { findReturning, findRunning, type MembershipRow } from '#server/store/memberships/memberships.ts'
import { findPeople } from '#server/store/people/people.ts'
import { cheaperPlans, findPlan, isJoined } from '#server/store/plans/plans.ts'
import { beginCard, ownCardOffer } from './card.ts'
import { cancelOwn, changeOwn, resumeOwn, revokeOwnChange } from './own.ts'
import { planOffer, visiblePlan } from './plan-offer.ts'

export function membershipRoutes(app: FastifyInstance, deps: Deps): void {
  joiningRoutes(app, deps)
  ownRoutes(app, deps)
  cardRoutes(app, deps)
}

function joiningRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings, transaction } = deps

  memberRoute(app, getPlanOrder, async ({ viewer, params }) => {
    const [now, id] = [clock(), params.plan_id]
    const plan = await visiblePlan(db, viewer.id, id, now)
    const { creatorId } = plan
    const creator = (await findPeople(db, [creatorId])).get(creatorId)
    if (!creator) throw new Error('a plan has no creator')
    const running = await findRunning(db, viewer.id, creatorId)
    const day = chargeDayOf(now)
    const until = periodEnd(now, day)
    return {
      plan: planCardOf(plan, now),
      creator: personView(creator),
      is_for_sale: creatorId !== viewer.id && (await isIdentified(db, creatorId)),
      is_of_age: ageOn(viewer.birthDate, now) >= MIN_AGE,
      is_member: await isJoined(db, id, viewer.id, now),
      membership: running ? await runningView(deps, running) : null,
      next_charge_at: new Date(until).toISOString(),
      charge_day: day,
      first_days: daysUntil(now, until),
      opens: plan.opensCheaper ? (await cheaperPlans(db, creatorId, plan.price, now)).map(planViewOf) : [],
      returning: await returningView(deps, viewer.id, id),
    }
  })

  memberRoute(app, beginMembership, async ({ viewer, body, request }) => {
    const planId = body.plan_id
    const creatorId = (await findPlan(db, planId))?.creatorId
    if (creatorId !== undefined)
      await transaction((unit) =>
        endIfOver(unit, { userId: viewer.id, creatorId }, { now: clock(), publicUrl: settings.publicUrl }),
      )
    const payment = await beginFlow(deps, {
      paymentId: body.payment_id,
      item: { kind: 'plan', planId },
      price: body.price,
      buyer: viewer,
      networkMac: networkMacOf(secrets, addressOf(request)),
      offer: (tx) => planOffer(tx, deps, viewer, planId),
    })
    return begunView(payment, deps)
  })
}

async function returningView({ db, clock }: Deps, userId: string, planId: string) {
  const row = await findReturning(db, { userId, planId }, clock() - RETURN_MS)
  const until = row && returnUntil(row)
  const offer = row && (await cardOffer(db, row, clock()))
  if (!row || until === undefined || typeof offer !== 'object') return null
  return { id: row.id, price: row.price, until: new Date(until).toISOString() }
}

async function runningView({ db, clock }: Deps, row: MembershipRow) {
  const plan = await findPlan(db, row.planId)
  return { ...(await membershipViewOf(db, row, clock())), plan: plan ? planViewOf(plan) : null }
}

function cardRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, secrets } = deps
  memberRoute(app, getMembershipCard, async ({ viewer, params }) => {
    const { row, offer } = await ownCardOffer(deps, db, {
      memberId: viewer.id,
      membershipId: params.membership_id,
    })
    const creator = (await findPeople(db, [row.creatorId])).get(row.creatorId)
    const plan = await findPlan(db, row.planId)
    if (!creator || !plan) throw new ApiError('not_found')
    const until = returnUntil(row)
    return {
      act: offer.act,
      plan: planViewOf(plan),
      creator: personView(creator),
      price: offer.price,
      next_charge_at: new Date(offer.nextChargeAt).toISOString(),
      charge_day: offer.chargeDay,
      joined_at: row.joinedAt.toISOString(),
      return_until: until === undefined ? null : new Date(until).toISOString(),
    }
  })

  memberRoute(app, changeMembershipCard, async ({ viewer, params, body, request }) => {
    const payment = await beginCard(deps, {
      own: { memberId: viewer.id, membershipId: params.membership_id },
      buyer: viewer,
      networkMac: networkMacOf(secrets, addressOf(request)),
      body,
    })
    return begunView(payment, deps)
  })
}

function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, settings } = deps
  const options = { rateLimit: perPerson(settings.limits.plans) }
  const viewOf = (row: MembershipRow) => membershipViewOf(db, row, clock())
  const own = (viewer: { readonly id: string }, params: { readonly membership_id: string }) => ({
    memberId: viewer.id,
    membershipId: params.membership_id,
  })

  memberRoute(
    app,
    cancelMembership,
    async ({ viewer, params }) => viewOf(await cancelOwn(deps, own(viewer, params))),
    options,
  )
  memberRoute(
    app,
    resumeMembership,
    async ({ viewer, params, body }) => viewOf(await resumeOwn(deps, own(viewer, params), body.price)),
    options,
  )
  memberRoute(
    app,
    changeMembership,
    async ({ viewer, params, body }) => {
      const next = { planId: body.plan_id, price: body.price }
      return viewOf(await changeOwn(deps, own(viewer, params), next))
    },
    options,
  )
  memberRoute(
    app,
    revokeMembershipChange,
    async ({ viewer, params }) => viewOf(await revokeOwnChange(deps, own(viewer, params))),
    options,
  )
}
