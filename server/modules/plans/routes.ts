// Route that lists a creator's own plans, for the choice of a post's audience.
import type { FastifyInstance } from 'fastify'
import { listOwnPlans } from '#contract/posts/plans.ts'
import type { Deps } from '#server/deps.ts'
import { memberRoute } from '#server/http/route.ts'
import { listPlansOf } from '#server/store/posts/plans.ts'

export function planRoutes(app: FastifyInstance, { db }: Deps): void {
  memberRoute(app, listOwnPlans, async ({ viewer }) => ({ plans: await listPlansOf(db, viewer.id) }))
}
