// Routes of posts: adding, releasing, changing, deleting and reading (specification section 7).
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as v from 'valibot'
import { id as idSchema } from '#contract/ids.ts'
import { getBoughtVersion } from '#contract/posts/bought-version.ts'
import { declareFilm } from '#contract/posts/film-declaration.ts'
import { changePost, deletePost } from '#contract/posts/own-posts.ts'
import {
  addPost,
  getPost,
  listPosts,
  type PostView,
  releasePost,
  sendChunk,
  withdrawPost,
} from '#contract/posts/posts.ts'
import type { Deps } from '#server/deps.ts'
import { ApiError } from '#server/http/errors.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { guardReleased, releasedPages } from '#server/store/posts/released-posts.ts'
import { readingOf } from '#server/services/posts/post-decision.ts'
import { findBoughtVersion } from '#server/store/posts/post-versions.ts'
import { viewFacts, viewPosts } from '#server/services/posts/post-view.ts'
import { addPostFlow } from './add.ts'
import { changeFlow, deleteFlow } from './change.ts'
import { declareFlow } from './declare.ts'
import { receiveChunk } from './chunks.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { postPlace } from '#server/services/posts/post-place.ts'
import { postPages } from '#server/services/posts/page-sizes.ts'
import { releaseFlow } from './release.ts'
import { withdrawFlow } from './unreleased.ts'

const pageAfter = postPages(releasedPages)

export function postRoutes(app: FastifyInstance, deps: Deps): void {
  const temporary = deps.storage.scratch

  memberRoute(
    app,
    addPost,
    async ({ viewer, body, files, request }) => {
      const key = idempotencyKeyOf(request)
      const added = await addPostFlow(deps, { authorId: viewer.id, key, body, files })
      return { data: [{ item: { id: added.id, video_id: added.videoId } }] }
    },
    { temporary },
  )

  memberRoute(
    app,
    sendChunk,
    async ({ viewer, body, files }) => {
      const received = await receiveChunk(deps, { senderId: viewer.id, body, files })
      return { data: { file_id: body.file_id, chunk: body.chunk, received } }
    },
    { temporary, rateLimit: deps.settings.limits.uploads },
  )

  memberRoute(app, releasePost, async ({ viewer, params }) => {
    const releasedAt = await releaseFlow(deps, params.post_id, viewer.id)
    return { data: { id: params.post_id, released_at: releasedAt.toISOString() } }
  })

  memberRoute(app, withdrawPost, async ({ viewer, params }) => {
    await withdrawFlow(deps, params.post_id, viewer.id)
    return { data: { id: params.post_id } }
  })

  ownPostRoutes(app, deps)
  readingRoutes(app, deps)
}

/** Routes by which authors change and delete their released posts. */
function ownPostRoutes(app: FastifyInstance, deps: Deps): void {
  memberRoute(
    app,
    changePost,
    async ({ viewer, params, body }) => {
      await changeFlow(deps, params.post_id, viewer.id, body)
      return viewOne(deps, viewer, params.post_id)
    },
    { rateLimit: perPerson(deps.settings.limits.edits) },
  )

  memberRoute(
    app,
    declareFilm,
    async ({ viewer, params, body }) => {
      await declareFlow(deps, params.post_id, viewer.id, body.version)
      return viewOne(deps, viewer, params.post_id)
    },
    { rateLimit: perPerson(deps.settings.limits.edits) },
  )

  memberRoute(
    app,
    deletePost,
    async ({ viewer, params }) => {
      await deleteFlow(deps, params.post_id, viewer.id)
      return { data: { id: params.post_id } }
    },
    { rateLimit: perPerson(deps.settings.limits.edits) },
  )
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, reads, clock } = deps

  memberRoute(app, listPosts, async ({ viewer, query, request }) => {
    const now = clock()
    const { author: authorId, type, plan: planId } = query
    const filter = { after: timeCursor.read(query.cursor), authorId, type, planId }
    const { query: pages, size } = pageAfter(filter.after)
    const rows = await reads.page(request, {
      find: (replica) => pages.rows(replica, viewer.id, filter, now),
      check: (found) => guardReleased(db, viewer.id, filter, now, found),
      whole: () => pages.whole(db, viewer.id, filter, now),
    })
    const { shown, next } = timeCursor.pageOf(rows, size, postPlace)
    return { posts: await viewFacts(deps, viewer, shown, now), next }
  })

  memberRoute(app, getBoughtVersion, async ({ viewer, params }) => {
    const decided = await readingOf(db, viewer, params.post_id, clock())
    if (!decided || decided.decision.is === 'preview') throw new ApiError('not_found')
    const version = await findBoughtVersion(db, params.post_id, viewer.id)
    if (!version) return { version: null }
    const { replacedAt, ...texts } = version
    return { version: { ...texts, changed_at: replacedAt.toISOString() } }
  })

  memberRoute(app, getPost, async ({ viewer, params }) => {
    return viewOne(deps, viewer, params.post_id)
  })
}

async function viewOne(deps: Deps, viewer: Viewer | null, postId: string): Promise<PostView> {
  const [view] = await viewPosts(deps, viewer, [postId], deps.clock())
  if (!view) throw new ApiError('not_found')
  return view
}

function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  const parsed = v.safeParse(idSchema, header)
  if (!parsed.success) throw new ApiError('invalid', { 'idempotency-key': 'malformed' })
  return parsed.output
}
