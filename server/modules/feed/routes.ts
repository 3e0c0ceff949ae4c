// Routes of the feeds on the home page, and of the number of newer posts.
import type { FastifyInstance } from 'fastify'
import { countNewer, listFeed, NEWER_CAP } from '#contract/posts/feed.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { postPages } from '#server/services/posts/page-sizes.ts'
import { memberRoute } from '#server/http/route.ts'
import { feedPages, newerCounts } from '#server/store/posts/feed.ts'
import { viewFacts } from '#server/services/posts/post-view.ts'

const pageAfter = postPages(feedPages)
const newerThan = newerCounts(NEWER_CAP)

export function feedRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, listFeed, async ({ viewer, params, query }) => {
    const now = clock()
    const after = timeCursor.read(query.cursor)
    const { query: readPage, size } = pageAfter(after)
    const rows = await readPage(db, params.kind, viewer.id, now, after)
    const { shown, next } = timeCursor.pageOf(rows, size, postPlace)
    const [first] = shown
    return {
      posts: await viewFacts(deps, viewer, shown, now),
      next,
      head: first ? timeCursor.write(postPlace(first)) : null,
    }
  })

  memberRoute(app, countNewer, async ({ viewer, params, query }) => {
    const place = timeCursor.read(query.than, 'than')
    return { count: await newerThan(db, params.kind, viewer.id, clock(), place) }
  })
}
