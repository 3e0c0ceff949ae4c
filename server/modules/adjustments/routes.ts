// Routes of admins for adjustments; changes need a recent validation.
import type { FastifyInstance } from 'fastify'
import {
  type BookedReply,
  decideDispute as decideEndpoint,
  disputeByAdmin,
  refundByAdmin,
  searchAdjustments,
} from '#contract/adjustments/adjustments.ts'
import {
  addComplimentary,
  type ComplimentaryView,
  endComplimentary,
  listComplimentary,
} from '#contract/adjustments/complimentary.ts'
import { addFeeRate, listFeeRates } from '#contract/adjustments/fee-rates.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { decideDispute, openDispute } from '#server/services/billing/disputes.ts'
import { byOf, refuseOwn } from '#server/services/billing/money-door.ts'
import { perform, replyOf } from '#server/services/billing/perform.ts'
import { refundInUnit } from '#server/services/billing/refund-payment.ts'
import { personView } from '#server/services/people/person-view.ts'
import { findComplimentary, listComplimentaryOf } from '#server/store/adjustments/complimentary.ts'
import { findDispute } from '#server/store/adjustments/disputes.ts'
import { findFeeRate, listFeeRates as readFeeRates } from '#server/store/adjustments/fee-rates.ts'
import { findRefund } from '#server/store/adjustments/refunds.ts'
import type { Db } from '#server/store/database.ts'
import { entriesOf } from '#server/store/payments/ledger.ts'
import { findPayment } from '#server/store/payments/payments.ts'
import { findPeople, findUser } from '#server/store/people/people.ts'
import { ownPlansOf } from '#server/store/plans/plan-facts.ts'
import { endGiven, giveMembership } from './complimentary.ts'
import { currentRate, exampleOf, setFeeRate } from './fee-rates.ts'
import { findPerson, paymentViews, search } from './search.ts'
import { settlementRoutes } from './settlement-routes.ts'

export function adjustmentRoutes(app: FastifyInstance, deps: Deps): void {
  searchRoute(app, deps)
  paymentRoutes(app, deps)
  feeRateRoutes(app, deps)
  complimentaryRoutes(app, deps)
  settlementRoutes(app, deps)
}

function searchRoute(app: FastifyInstance, deps: Deps): void {
  const { db, audit } = deps
  memberRoute(app, searchAdjustments, async ({ viewer, query: { q }, request }) => {
    const found = await search(db, q)
    const payments = await paymentViews(deps, found.paymentIds)
    const person =
      found.personId === undefined ? undefined : (await findPeople(db, [found.personId])).get(found.personId)
    const subject = person
      ? ({ subjectKind: 'user', subjectId: person.id } as const)
      : payments[0] && ({ subjectKind: 'payment', subjectId: payments[0].id } as const)
    // Without the searched text, which may be an email address.
    if (subject) {
      const detail = { payments: payments.map((it) => it.id) }
      await audit({ actorId: viewer.id, act: 'adjustments.search', ...subject, detail, ip: request.ip })
    }
    return { person: person ? personView(person) : null, payments }
  })
}

function paymentRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps
  memberRoute(app, refundByAdmin, async ({ viewer, params, body, request }): Promise<BookedReply> => {
    const by = byOf(deps, viewer, request.ip)
    const paymentId = params.payment_id
    await refuseOwn(db, by, await peopleOf(db, paymentId))
    const booked = { refundId: body.id }
    const same = await findRefund(db, body.id)
    if (same?.paymentId === paymentId && same.amount === body.amount)
      return replyOf(await entriesOf(db, booked), true)
    const { amount, left } = body
    return perform(deps, {
      by,
      isPreview: body.preview,
      second: { door: 'refundByAdmin', about: [paymentId, amount, left], amount, paymentId },
      async work(unit) {
        if (!(await refundInUnit(deps, unit, paymentId, by, body))) throw new ApiError('conflict')
      },
      booked: (tx) => entriesOf(tx, booked),
    })
  })
  memberRoute(app, disputeByAdmin, async ({ viewer, params, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    await refuseOwn(db, by, await peopleOf(db, params.payment_id))
    const booked = { disputeId: body.id }
    const same = await findDispute(db, body.id)
    if (same?.paymentId === params.payment_id) return replyOf(await entriesOf(db, booked), true)
    return perform(deps, {
      by,
      isPreview: body.preview,
      work: (unit) => openDispute(deps, unit, params.payment_id, by, body),
      booked: (tx) => entriesOf(tx, booked),
    })
  })
  memberRoute(app, decideEndpoint, async ({ viewer, params, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const disputeId = params.dispute_id
    const dispute = await findDispute(db, disputeId)
    if (!dispute) throw new ApiError('not_found')
    await refuseOwn(db, by, await peopleOf(db, dispute.paymentId))
    const { chargeId, paymentId, amount } = dispute
    const before = new Set((await entriesOf(db, { chargeId })).map((it) => it.id))
    return perform(deps, {
      by,
      isPreview: body.preview,
      // A lost one pays no person.
      ...(body.outcome !== 'lost' && {
        second: { door: 'decideDispute', about: [disputeId, body.outcome], amount, paymentId },
      }),
      work: (unit) => decideDispute(deps, unit, disputeId, by, body.outcome),
      // A charge of a post that was bought again meanwhile is refunded at once.
      booked: async (tx) => (await entriesOf(tx, { chargeId })).filter((it) => !before.has(it.id)),
    })
  })
}

/** Buyer and creator of a payment. @throws ApiError `not_found` */
async function peopleOf(db: Db, paymentId: string): Promise<string[]> {
  const payment = await findPayment(db, paymentId)
  if (!payment) throw new ApiError('not_found')
  return [payment.userId, payment.creatorId]
}

function feeRateRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, settings } = deps
  memberRoute(app, listFeeRates, async ({ params }) => {
    const creator = await findUser(db, params.user_id)
    if (!creator) throw new ApiError('not_found')
    const rows = await readFeeRates(db, creator.id)
    const people = await findPeople(
      db,
      rows.flatMap((it) => it.actorId ?? []),
    )
    return {
      usual: settings.payments.feeRate,
      current: await currentRate(deps, creator.id),
      rates: rows.map((row) => {
        const actor = people.get(row.actorId ?? '')
        return {
          id: row.id,
          first_day: row.firstDay,
          rate: row.rate,
          reason: row.reason,
          created_at: row.createdAt.toISOString(),
          actor: actor ? personView(actor) : null,
        }
      }),
    }
  })
  memberRoute(app, addFeeRate, async ({ viewer, params, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    await refuseOwn(db, by, [params.user_id])
    const same = await findFeeRate(db, body.id)
    if (same?.creatorId === params.user_id && same.rate === body.rate && same.firstDay === body.first_day)
      return replyOf(await exampleOf(db, body.id), true)
    return perform(deps, {
      by,
      isPreview: body.preview,
      work: (unit) => setFeeRate(deps, unit, params.user_id, by, body),
      booked: (tx) => exampleOf(tx, body.id),
    })
  })
}

function complimentaryRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, transaction } = deps
  memberRoute(app, listComplimentary, async ({ params }) => {
    const personId = params.user_id
    if (!(await findUser(db, personId))) throw new ApiError('not_found')
    const now = clock()
    const plans = await ownPlansOf(db, personId, now)
    return {
      memberships: await viewsOf(deps, personId),
      plans: plans
        .filter((it) => it.endsAt === null || it.endsAt.getTime() > now)
        .map(({ id, name, price }) => ({ id, name, price })),
    }
  })
  memberRoute(app, addComplimentary, async ({ viewer, body, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const same = await findComplimentary(db, body.id)
    if (same?.planId === body.plan_id && same.paid === body.paid)
      return replyOf(await entriesOf(db, { complimentaryId: body.id }), true)
    const { plan_id: planId, ends_on: until, paid: amount } = body
    // Two members of staff may name the same person by an id, a handle or an email.
    const member = (await findPerson(db, body.member)) ?? ''
    return perform(deps, {
      by,
      isPreview: body.preview,
      second: { door: 'addComplimentary', about: [planId, member, until, amount], amount, paymentId: null },
      work: (unit) => giveMembership(deps, unit, by, body),
      booked: (tx) => entriesOf(tx, { complimentaryId: body.id }),
    })
  })
  memberRoute(app, endComplimentary, async ({ viewer, params, request }) => {
    const by = byOf(deps, viewer, request.ip)
    const id = params.complimentary_id
    await transaction((unit) => endGiven(deps, unit, id, by))
    return { data: { id } }
  })
}

async function viewsOf({ db }: Deps, personId: string): Promise<ComplimentaryView[]> {
  const rows = await listComplimentaryOf(db, personId)
  const people = await findPeople(
    db,
    rows.flatMap((it) => [it.userId, it.creatorId]),
  )
  return rows.flatMap((row) => {
    const [member, creator] = [people.get(row.userId), people.get(row.creatorId)]
    if (!member || !creator) return []
    const { planId, plan } = row
    return [
      {
        id: row.id,
        member: personView(member),
        creator: personView(creator),
        plan: planId === null || plan === null ? null : { id: planId, name: plan },
        paid: row.paid,
        reason: row.reason,
        created_at: row.createdAt.toISOString(),
        ends_at: row.endsAt.toISOString(),
      },
    ]
  })
}
