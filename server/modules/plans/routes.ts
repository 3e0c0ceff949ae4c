// Routes of a creator's own plans, their members, and the plans a person has joined.
import type { FastifyInstance } from 'fastify'
import { listJoinedPlans, listPlanMembers } from '#contract/plans/members.ts'
import {
  addPlan,
  changePlan,
  closePlan,
  listOwnPlans,
  orderPlans,
  putPlanPicture,
  removePlanPicture,
} from '#contract/plans/plans.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limits.ts'
import { memberRoute } from '#server/http/route.ts'
import { storePicture } from '#server/services/media/store-picture.ts'
import { personView } from '#server/services/people/person-view.ts'
import { ownPlanOf } from '#server/services/plans/plan-views.ts'
import { findPeople, lockUser } from '#server/store/people/people.ts'
import { listJoined, listMembers } from '#server/store/plans/members.ts'
import { setPlanOrder } from '#server/store/plans/offers.ts'
import { removePlanPictures, setNextPlanPicture } from '#server/store/plans/pictures.ts'
import { findOwnPlan, ownPlansOf } from '#server/store/plans/plan-facts.ts'
import { addOwnPlan, changeOwnPlan, announcePlanEnd } from './offers.ts'

/** People or plans of one page. */
const PAGE = 30

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  offerRoutes(app, deps)
  planPictureRoutes(app, deps)
  membershipRoutes(app, deps)
}

function offerRoutes(app: FastifyInstance, deps: Deps): void {
  const { transaction, settings } = deps
  const options = { rateLimit: perPerson(settings.limits.plans) }
  memberRoute(app, listOwnPlans, ({ viewer }) => viewOwnPlans(deps, viewer.id))
  memberRoute(
    app,
    addPlan,
    async ({ viewer, body }) => {
      await addOwnPlan(deps, viewer, body)
      return viewOwnPlan(deps, viewer.id, body.id)
    },
    options,
  )
  memberRoute(
    app,
    changePlan,
    async ({ viewer, params, body }) => {
      await changeOwnPlan(deps, viewer, params.plan_id, body)
      return viewOwnPlan(deps, viewer.id, params.plan_id)
    },
    options,
  )
  memberRoute(
    app,
    orderPlans,
    async ({ viewer, body }) => {
      await transaction(async ({ tx }) => {
        await lockUser(tx, viewer.id)
        await setPlanOrder(tx, viewer.id, body.plan_ids)
      })
      return viewOwnPlans(deps, viewer.id)
    },
    options,
  )
  memberRoute(
    app,
    closePlan,
    async ({ viewer, params, body }) => {
      await announcePlanEnd(deps, viewer.id, params.plan_id, body.ends_on)
      return viewOwnPlan(deps, viewer.id, params.plan_id)
    },
    options,
  )
}

function planPictureRoutes(app: FastifyInstance, deps: Deps): void {
  const { transaction, settings } = deps
  const rateLimit = perPerson(settings.limits.plans)
  memberRoute(
    app,
    putPlanPicture,
    async ({ viewer, params, files }) => {
      const id = params.plan_id
      await viewOwnPlan(deps, viewer.id, id)
      await storePicture(deps, viewer.id, files, (tx, mediaId) => setNextPlanPicture(tx, id, mediaId))
      return viewOwnPlan(deps, viewer.id, id)
    },
    { rateLimit, temporary: deps.files },
  )
  memberRoute(
    app,
    removePlanPicture,
    async ({ viewer, params }) => {
      const id = params.plan_id
      await viewOwnPlan(deps, viewer.id, id)
      await transaction(async ({ tx, enqueue }) => {
        const removed = await removePlanPictures(tx, id, ['shown', 'next'])
        for (const mediaId of removed) await enqueue('media.remove', { mediaId })
      })
      return viewOwnPlan(deps, viewer.id, id)
    },
    { rateLimit },
  )
}

function membershipRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  memberRoute(app, listPlanMembers, async ({ viewer, params, query }) => {
    const plan = await findOwnPlan(db, viewer.id, params.plan_id, clock())
    if (!plan) throw new ApiError('not_found')
    const owned = { id: plan.id, creatorId: viewer.id }
    const rows = await listMembers(db, owned, clock(), timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const people = await findPeople(
      db,
      shown.map((it) => it.id),
    )
    const members = shown.flatMap(({ id, at }) => {
      const person = people.get(id)
      return person ? [{ person: personView(person), joined_at: at.toISOString() }] : []
    })
    return { members, next }
  })

  memberRoute(app, listJoinedPlans, async ({ viewer, query }) => {
    const rows = await listJoined(db, viewer.id, clock(), timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, (row) => row)
    const people = await findPeople(
      db,
      shown.map((it) => it.creatorId),
    )
    const plans = shown.flatMap(({ id, name, price, at, endsAt, creatorId }) => {
      const creator = people.get(creatorId)
      const moments = { joined_at: at.toISOString(), ends_at: endsAt?.toISOString() ?? null }
      return creator ? [{ id, name, price, creator: personView(creator), ...moments }] : []
    })
    return { plans, next }
  })
}

async function viewOwnPlans({ db, clock }: Deps, creatorId: string) {
  const now = clock()
  return { plans: (await ownPlansOf(db, creatorId, now)).map((it) => ownPlanOf(it, now)) }
}

/** @throws ApiError `not_found` for another person's plan */
async function viewOwnPlan({ db, clock }: Deps, creatorId: string, id: string) {
  const now = clock()
  const plan = await findOwnPlan(db, creatorId, id, now)
  if (!plan) throw new ApiError('not_found')
  return ownPlanOf(plan, now)
}
