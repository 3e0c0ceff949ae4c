// Routes of staff for notices: list, drafts, preview, publishing and pictures.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  actOnNotice,
  addNotice,
  changeNotice,
  countNoticeAudience,
  getNoticeDetail,
  listBuilds,
  listNotices,
  previewNotice,
  putNoticePicture,
  removeNotice,
  removeNoticePicture,
} from '#contract/notices/admin-notices.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { perPerson } from '#server/http/limit-keys.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { plainTextOf } from '#server/rules/notices/plain-text.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { storePicture } from '#server/services/media/store-picture.ts'
import { parseNotice } from '#server/services/notices/markdown.ts'
import { countAudience, listUsedBuilds } from '#server/store/notices/audience.ts'
import { listNoticeRows } from '#server/store/notices/notices.ts'
import { act, type Actor, auditOf } from './act.ts'
import { addDraft, audienceColumns, changeDraft, removeDraft, setPicture } from './drafts.ts'
import { detailOf, rowView } from './views.ts'

const PAGE = 30
const MAX_BUILDS = 50

const actorOf = (viewer: Viewer, request: FastifyRequest): Actor => ({ id: viewer.id, ip: request.ip })

export function noticeAdminRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  readingRoutes(app, deps)
  pictureRoutes(app, deps)

  memberRoute(app, addNotice, async ({ viewer, body, request }) => {
    await addDraft(deps, actorOf(viewer, request), body)
    return detailOf(deps, viewer.id, body.id)
  })
  memberRoute(app, changeNotice, async ({ viewer, params, body, request }) => {
    await changeDraft(deps, actorOf(viewer, request), params.notice_id, body)
    return detailOf(deps, viewer.id, params.notice_id)
  })
  memberRoute(app, removeNotice, async ({ viewer, params, request }) => {
    await removeDraft(deps, actorOf(viewer, request), params.notice_id)
    return { data: { id: params.notice_id } }
  })
  memberRoute(app, actOnNotice, async ({ viewer, params, body, request }) => {
    // What makes many people get something; stopping it must not wait for a password.
    if (body.act === 'publish' || body.act === 'schedule' || body.act === 'resume')
      validatedOf(viewer, clock())
    await act(deps, actorOf(viewer, request), params.notice_id, body)
    return detailOf(deps, viewer.id, params.notice_id)
  })
  memberRoute(app, previewNotice, async ({ body }) => {
    const content = parseNotice(body.body)
    return { content, body: plainTextOf(content) }
  })
  memberRoute(app, countNoticeAudience, async ({ body }) =>
    countAudience(db, await audienceColumns(db, body.audience), clock()),
  )
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, listNotices, async ({ query }) => {
    const after = timeCursor.read(query.cursor)
    const rows = await listNoticeRows(db, query.list, { after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ notice: { createdAt: at, id } }) => ({ at, id }))
    return { notices: shown.map((it) => rowView(it.notice, it.readers)), next }
  })
  memberRoute(app, getNoticeDetail, ({ viewer, params }) => detailOf(deps, viewer.id, params.notice_id))
  memberRoute(app, listBuilds, async () => ({ builds: await listUsedBuilds(db, clock(), MAX_BUILDS) }))
}

function pictureRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock, transaction } = deps
  const rateLimit = perPerson(deps.settings.limits.profile)
  memberRoute(
    app,
    putNoticePicture,
    async ({ viewer, params, files, request }) => {
      const noticeId = params.notice_id
      await storePicture(deps, viewer.id, files, (tx, mediaId) => setPicture(tx, noticeId, mediaId, clock()))
      const entry = auditOf(actorOf(viewer, request), noticeId)
      await deps.audit({ ...entry, act: 'notice.picture', detail: { set: true } })
      return detailOf(deps, viewer.id, noticeId)
    },
    { rateLimit, temporary: deps.storage.scratch },
  )
  memberRoute(
    app,
    removeNoticePicture,
    async ({ viewer, params, request }) => {
      const noticeId = params.notice_id
      await transaction(async ({ tx, enqueue, audit }) => {
        const mediaId = await setPicture(tx, noticeId, null, clock())
        if (mediaId === undefined) return
        await enqueue('media.remove', { mediaId })
        const entry = auditOf(actorOf(viewer, request), noticeId)
        audit({ ...entry, act: 'notice.picture', detail: { set: false } })
      })
      return detailOf(deps, viewer.id, noticeId)
    },
    { rateLimit },
  )
}
