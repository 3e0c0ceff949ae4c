// Accepts, lists and stops broadcasts of a creator.
import type { FastifyInstance } from 'fastify'
import {
  type BroadcastView,
  countAudience,
  listBroadcasts,
  sendBroadcast,
  stopBroadcast,
} from '#contract/messages/broadcasts.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { postCards } from '#server/services/posts/post-card.ts'
import {
  addBroadcast,
  type BroadcastFacts,
  BROADCASTS_PAGE,
  countBroadcastsSince,
  countMembers,
  findBroadcast,
  findBroadcastFacts,
  listBroadcastFacts,
  listUnfinished,
  setStopped,
} from '#server/store/messages/broadcasts.ts'
import { lockUser } from '#server/store/people/people.ts'
import { findPlans, ownPlanIds } from '#server/store/plans/plans.ts'
import { requireOwnPost } from './send.ts'

const DAY = 24 * 3600_000

export function broadcastRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  const options = { rateLimit: perPerson(deps.settings.limits.messages) }
  memberRoute(app, listBroadcasts, async ({ viewer, query }) => {
    const rows = await listBroadcastFacts(db, viewer.id, timeCursor.read(query.cursor))
    const { shown, next } = timeCursor.pageOf(rows, BROADCASTS_PAGE, (row) => row)
    return { broadcasts: await broadcastViews(deps, viewer.id, shown), next }
  })
  memberRoute(
    app,
    countAudience,
    async ({ viewer, query }) => {
      await requireOwnPlans(deps, viewer.id, query.plan_ids)
      return { recipients: await countMembers(db, viewer.id, query.plan_ids, clock()) }
    },
    options,
  )
  memberRoute(
    app,
    sendBroadcast,
    async ({ viewer, body }) => {
      await accept(deps, viewer.id, body)
      return viewOf(deps, viewer.id, body.id)
    },
    options,
  )
  memberRoute(
    app,
    stopBroadcast,
    async ({ viewer, params }) => {
      const id = params.broadcast_id
      if (!(await findBroadcastFacts(db, viewer.id, id))) throw new ApiError('not_found')
      await deps.transaction(({ tx }) => setStopped(tx, id, clock()))
      return viewOf(deps, viewer.id, id)
    },
    options,
  )
}

interface Body {
  readonly id: string
  readonly content: string
  readonly plan_ids: readonly string[]
  readonly post_id: string | null
}

/** Accepts a broadcast once. The row of its creator is locked, so that those sent at once are counted. */
async function accept(deps: Deps, creatorId: string, body: Body): Promise<void> {
  if (await isAccepted(deps, creatorId, body)) return
  await requireOwnPlans(deps, creatorId, body.plan_ids)
  await requireOwnPost(deps, creatorId, body.post_id)
  const now = deps.clock()
  await deps.transaction(async ({ tx, enqueue }) => {
    await lockUser(tx, creatorId)
    if (await isAccepted({ db: tx }, creatorId, body)) return
    if ((await countBroadcastsSince(tx, creatorId, now - DAY)) >= deps.settings.limits.broadcasts)
      throw new ApiError('broadcast_limit')
    const { id, content, post_id: postId } = body
    await addBroadcast(tx, { id, creatorId, content, postId, planIds: planIdsOf(body) }, now)
    await enqueue('message.broadcast', { broadcastId: id, batch: 0 })
  })
}

const planIdsOf = (body: Body): string[] => [...new Set(body.plan_ids)].toSorted()

/**
 * Whether the broadcast was accepted before.
 * @throws ApiError `conflict` when the id belongs to another broadcast
 */
async function isAccepted({ db }: Pick<Deps, 'db'>, creatorId: string, body: Body): Promise<boolean> {
  const row = await findBroadcast(db, body.id)
  if (!row) return false
  const isSame =
    row.creatorId === creatorId &&
    row.content === body.content &&
    row.postId === body.post_id &&
    row.planIds.join() === planIdsOf(body).join()
  if (!isSame) throw new ApiError('conflict')
  return true
}

/** @throws ApiError `invalid` unless each is a running plan of the creator */
async function requireOwnPlans(
  { db, clock }: Deps,
  creatorId: string,
  ids: readonly string[],
): Promise<void> {
  const own = await ownPlanIds(db, creatorId, ids, clock())
  if (!ids.every((id) => own.has(id))) throw new ApiError('invalid', { plan_ids: 'unknown_plan' })
}

async function viewOf(deps: Deps, creatorId: string, id: string): Promise<BroadcastView> {
  const facts = await findBroadcastFacts(deps.db, creatorId, id)
  const [view] = facts ? await broadcastViews(deps, creatorId, [facts]) : []
  if (!view) throw new ApiError('not_found')
  return view
}

async function broadcastViews(
  deps: Deps,
  creatorId: string,
  rows: readonly BroadcastFacts[],
): Promise<BroadcastView[]> {
  const ids = rows.flatMap((it) => it.postId ?? [])
  const cards = await postCards(deps, creatorId, ids, deps.clock())
  const plans = await findPlans(
    deps.db,
    rows.flatMap((it) => it.planIds),
  )
  return rows.map((it) => ({
    id: it.id,
    content: it.content,
    post: it.postId === null ? null : (cards.get(it.postId) ?? { is: 'none' }),
    plans: it.planIds.flatMap((id) => {
      const plan = plans.get(id)
      return plan ? [{ id, name: plan.name }] : []
    }),
    created_at: it.at.toISOString(),
    state: it.isStopped ? 'stopped' : it.isDone ? 'done' : 'delivering',
    recipients: it.recipients,
    delivered: it.delivered,
    skipped: it.skipped,
    read: it.read,
  }))
}

/** Enqueues the due batch of each running broadcast again, for jobs of crashed processes. A job that still runs wins or loses nothing. */
export async function resumeBroadcasts({ db, transaction }: Deps): Promise<void> {
  const due = await listUnfinished(db)
  await transaction(({ enqueueMany }) =>
    enqueueMany(
      'message.broadcast',
      due.map(({ id, batch }) => ({ broadcastId: id, batch })),
    ),
  )
}
