// Routes of the feeds on the home page, and of the number of newer posts.
import type { FastifyInstance } from 'fastify'
import { countNewer, listFeed, NEWER_CAP } from '#contract/posts/feed.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { postPages } from '#server/services/posts/page-sizes.ts'
import { memberRoute } from '#server/http/route.ts'
import { feedPages, recheckFeed, newerCounts } from '#server/store/posts/feed.ts'
import { viewFacts } from '#server/services/posts/post-view.ts'

const pageAfter = postPages(feedPages)
const newerThan = newerCounts(NEWER_CAP)

export function feedRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads, clock } = deps
  memberRoute(app, listFeed, async ({ viewer, params: { kind }, query, request }) => {
    const now = clock()
    const after = timeCursor.read(query.cursor)
    const { query: pages, size } = pageAfter(after)
    const rows = await reads.page(request, {
      find: (replica) => pages.rows(replica, kind, viewer.id, now, after),
      check: (found) => recheckFeed(db, kind, viewer.id, now, found),
      whole: () => pages.whole(db, kind, viewer.id, now, after),
    })
    const { shown, next } = timeCursor.pageOf(rows, size, postPlace)
    const [first] = shown
    return {
      posts: await viewFacts(deps, viewer, shown, now),
      next,
      head: first ? timeCursor.write(postPlace(first)) : null,
    }
  })

  memberRoute(app, countNewer, async ({ viewer, params, query, request }) => {
    const place = timeCursor.read(query.than, 'than')
    // A live message may have caused the request: the post that it is about must be counted, and be in the next list.
    const count = await reads.present(request, (either) =>
      newerThan(either, params.kind, viewer.id, clock(), place),
    )
    return { count }
  })
}
