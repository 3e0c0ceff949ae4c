// Routes of a creator's own plans, their members, and the plans a person has joined.
import type { FastifyInstance } from 'fastify'
import { fold } from '#contract/text/fold.ts'
import {
  type EndedMembership,
  listJoinedPlans,
  listPlanMembers,
  searchMembers,
} from '#contract/plans/members.ts'
import {
  addPlan,
  changePlan,
  closePlan,
  listOwnPlans,
  listPlanOpenings,
  orderPlans,
  putPlanPicture,
  removePlanPicture,
} from '#contract/plans/plans.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { storePicture } from '#server/services/media/store-picture.ts'
import { canReturn, returnUntil } from '#server/services/memberships/returning.ts'
import { membershipViews, planViewOf } from '#server/services/memberships/views.ts'
import { personView } from '#server/services/people/person-view.ts'
import { ownPlanOf } from '#server/services/plans/plan-views.ts'
import type { Db } from '#server/store/database.ts'
import { listEnded } from '#server/store/memberships/memberships.ts'
import { findPeople, lockUser } from '#server/store/people/people.ts'
import { JOINED_PAGE, listJoined, MEMBERS_PAGE, searchPlanMembers } from '#server/store/plans/members.ts'
import { setPlanOrder } from '#server/store/plans/offers.ts'
import { removePlanPictures, setNextPlanPicture } from '#server/store/plans/pictures.ts'
import { findOwnPlan, ownPlansOf } from '#server/store/plans/plan-facts.ts'
import { listOpenings } from '#server/store/plans/openings.ts'
import { findPlan, findPlans } from '#server/store/plans/plans.ts'
import { addOwnPlan, changeOwnPlan, announcePlanEnd } from './offers.ts'

export function planRoutes(app: FastifyInstance, deps: Deps): void {
  offerRoutes(app, deps)
  planPictureRoutes(app, deps)
  memberRoutes(app, deps)
  joinedRoutes(app, deps)
}

function offerRoutes(app: FastifyInstance, deps: Deps): void {
  const { transaction, settings } = deps
  const options = { rateLimit: perPerson(settings.limits.plans) }
  memberRoute(app, listOwnPlans, ({ viewer }) => viewOwnPlans(deps, viewer.id))
  memberRoute(app, listPlanOpenings, async ({ viewer, query }) => {
    const { plan_id: id, price, opens_cheaper: opensCheaper } = query
    const known = await findPlan(deps.db, id)
    if (known && known.creatorId !== viewer.id) throw new ApiError('not_found')
    const changed = { id, name: known?.name ?? '', price, opensCheaper }
    return { openings: await listOpenings(deps.db, viewer.id, changed, deps.clock()) }
  })
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
    { rateLimit, temporary: deps.storage.scratch },
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

function memberRoutes(app: FastifyInstance, { db, clock, settings }: Deps): void {
  memberRoute(app, listPlanMembers, async ({ viewer, params, query }) => {
    const plan = await findOwnPlan(db, viewer.id, params.plan_id, clock())
    if (!plan) throw new ApiError('not_found')
    const asked = {
      creatorId: viewer.id,
      text: null,
      planId: plan.id,
      after: timeCursor.read(query.cursor),
    }
    const rows = await searchPlanMembers(db, asked, clock())
    const { shown, next } = timeCursor.pageOf(rows, MEMBERS_PAGE, (row) => row)
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

  memberRoute(
    app,
    searchMembers,
    async ({ viewer, query: { cursor, q, plan } }) => {
      const text = fold(q.trim().replace(/^[@＠]/, ''))
      const asked = {
        creatorId: viewer.id,
        text: text === '' ? null : text,
        planId: plan ?? null,
        after: timeCursor.read(cursor),
      }
      const rows = await searchPlanMembers(db, asked, clock())
      const { shown, next } = timeCursor.pageOf(rows, MEMBERS_PAGE, (row) => row)
      const people = await findPeople(
        db,
        shown.map((it) => it.id),
      )
      const members = shown.flatMap(({ id, plan: joined, at }) => {
        const person = people.get(id)
        return person ? [{ person: personView(person), plan: joined, joined_at: at.toISOString() }] : []
      })
      return { members, next }
    },
    { rateLimit: perPerson(settings.limits.search) },
  )
}

function joinedRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  memberRoute(app, listJoinedPlans, async ({ viewer, query }) => {
    const place = timeCursor.read(query.cursor)
    const [rows, ended] = await Promise.all([
      listJoined(db, viewer.id, clock(), place),
      place === undefined ? endedOf(db, viewer.id, clock()) : [],
    ])
    const { shown, next } = timeCursor.pageOf(rows, JOINED_PAGE, (row) => row)
    const [people, views] = await Promise.all([
      findPeople(
        db,
        shown.map((it) => it.creatorId),
      ),
      membershipViews(
        db,
        shown.flatMap((it) => it.membership ?? []),
        clock(),
      ),
    ])
    const plans = shown.flatMap(({ id, name, price, at, endsAt, creatorId, membership: paid }) => {
      const creator = people.get(creatorId)
      const moments = { joined_at: at.toISOString(), ends_at: endsAt?.toISOString() ?? null }
      const membership = views.get(paid?.id ?? '') ?? null
      return creator ? [{ id, name, price, creator: personView(creator), ...moments, membership }] : []
    })
    return { plans, ended, next }
  })
}

/** How long a membership that has ended is listed, ms. */
const ENDED_LISTED_MS = 60 * 24 * 3600_000

async function endedOf(db: Db, userId: string, now: number): Promise<EndedMembership[]> {
  const rows = await listEnded(db, userId, now - ENDED_LISTED_MS)
  const [people, plans] = await Promise.all([
    findPeople(
      db,
      rows.map((it) => it.creatorId),
    ),
    findPlans(
      db,
      rows.flatMap((it) => it.planId ?? []),
    ),
  ])
  return rows.flatMap((row) => {
    const { id, planId, creatorId, endedAt, why } = row
    const [creator, plan] = [people.get(creatorId), plans.get(planId ?? '')]
    if (!creator || !endedAt || !why) return []
    const isThere = creator.state === 'present' && plan !== undefined && plan.endsAt === null
    const until = isThere && canReturn(row, now) ? returnUntil(row) : undefined
    return [
      {
        id,
        plan: plan ? planViewOf(plan) : null,
        creator: personView(creator),
        ended_at: endedAt.toISOString(),
        why,
        can_join: isThere && plan.acceptsMembers,
        return_until: until === undefined ? null : new Date(until).toISOString(),
      },
    ]
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
