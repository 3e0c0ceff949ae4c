// Routes of analytics: reports of readings, and the numbers of one's own posts.
import type { FastifyInstance } from 'fastify'
import { getAnalytics, getPostAnalytics } from '#contract/analytics/analytics.ts'
import { reportReading } from '#contract/analytics/readings.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import { filledDays, readingKind, shownDays, totalOf } from '#server/rules/analytics.ts'
import { dayOf, dayRange } from '#server/rules/money/periods.ts'
import { decisionOn } from '#server/services/posts/post-decision.ts'
import { type Asked, findOwnPost, hasPosts, numbersByDay, topPosts } from '#server/store/analytics/numbers.ts'
import { addReading } from '#server/store/analytics/readings.ts'

export function analyticsRoutes(app: FastifyInstance, deps: Deps): void {
  readingRoutes(app, deps)
  numberRoutes(app, deps)
}

function readingRoutes(app: FastifyInstance, { db, clock, settings, transaction }: Deps): void {
  memberRoute(
    app,
    reportReading,
    async ({ viewer, params, body }) => {
      const now = clock()
      const decided = await decisionOn(db, viewer, params.post_id, now)
      if (!decided) throw new ApiError('not_found')
      const { post, decision } = decided
      const hasVideo = post.media.some((it) => it.role === 'video')
      const kind = readingKind(body.what, decision, hasVideo)
      if (kind !== undefined && post.authorId !== viewer.id) {
        const reading = { postId: post.id, userId: viewer.id, day: dayOf(now), kind }
        await transaction(({ tx }) => addReading(tx, reading))
      }
      return { received: true } as const
    },
    { rateLimit: perPerson(settings.limits.readings) },
  )
}

function numberRoutes(app: FastifyInstance, { db, clock }: Deps): void {
  memberRoute(app, getAnalytics, async ({ viewer, query }) => {
    const days = shownDays(clock(), query.days)
    const asked = askedOf(viewer.id, null, days)
    const [found, top, has] = await Promise.all([
      numbersByDay(db, asked),
      topPosts(db, asked),
      hasPosts(db, viewer.id),
    ])
    return { has_posts: has, days: filledDays(days, found), total: totalOf(found), top }
  })

  memberRoute(app, getPostAnalytics, async ({ viewer, params, query }) => {
    const days = shownDays(clock(), query.days)
    const [post, found] = await Promise.all([
      findOwnPost(db, viewer.id, params.post_id),
      numbersByDay(db, askedOf(viewer.id, params.post_id, days)),
    ])
    if (!post) throw new ApiError('not_found')
    return { post, days: filledDays(days, found), total: totalOf(found) }
  })
}

function askedOf(authorId: string, postId: string | null, days: readonly string[]): Asked {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  return { authorId, postId, first, last, from: dayRange(first).from, to: dayRange(last).to }
}
