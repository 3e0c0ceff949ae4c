// Routes of staff for inquiries. Each call is in the audit log.
import type { FastifyInstance } from 'fastify'
import {
  askAuthor,
  askSender,
  decideInquiry,
  getInquiry,
  leaveInquiry,
  listInquiries,
  takeInquiry,
} from '#contract/inquiries/admin-inquiries.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { listInquiryRows, placeOf, setInquiry } from '#server/store/inquiries/inquiries.ts'
import { lockedInquiry, mayDisclose, readableInquiry } from './inquiry-access.ts'
import { askTheAuthor, askTheSender, decideTaken } from './inquiry-decide.ts'
import { inquiryRows, inquiryView } from './inquiry-view.ts'

const PAGE = 30

export function inquiryRoutes(app: FastifyInstance, deps: Deps): void {
  readingRoutes(app, deps)
  const act = async (viewer: Viewer, id: string, done: Promise<unknown>) => {
    await done
    return { inquiry: await inquiryView(deps, viewer, await readableInquiry(deps.db, viewer, id)) }
  }
  memberRoute(app, takeInquiry, ({ viewer, params: { inquiry_id: id }, request }) =>
    act(viewer, id, hold(deps, { viewer, id, takes: true, ip: request.ip })),
  )
  memberRoute(app, leaveInquiry, ({ viewer, params: { inquiry_id: id }, request }) =>
    act(viewer, id, hold(deps, { viewer, id, takes: false, ip: request.ip })),
  )
  memberRoute(app, askSender, ({ viewer, params: { inquiry_id: id }, body, request }) =>
    act(viewer, id, askTheSender(deps, { viewer, id, ip: request.ip }, body.text)),
  )
  memberRoute(app, askAuthor, ({ viewer, params: { inquiry_id: id }, body, request }) =>
    act(viewer, id, askTheAuthor(deps, { viewer, id, ip: request.ip }, body.text)),
  )
  memberRoute(app, decideInquiry, ({ viewer, params: { inquiry_id: id }, body, request }) => {
    validatedOf(viewer, deps.clock())
    return act(viewer, id, decideTaken(deps, { viewer, id, ip: request.ip }, body))
  })
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit } = deps
  memberRoute(app, listInquiries, async ({ viewer, query, request }) => {
    const { list, kind, late } = query
    const filter = {
      list,
      kind,
      dueBefore: late === undefined ? undefined : clock(),
      readerId: viewer.id,
      withDisclosure: mayDisclose(viewer),
    }
    const rows = await listInquiryRows(db, filter, timeCursor.read(query.cursor), PAGE + 1)
    const { shown, next } = timeCursor.pageOf(rows, PAGE, placeOf)
    const detail = { list, inquiries: shown.map((it) => it.id) }
    const subject = { subjectKind: 'user', subjectId: viewer.id } as const
    await audit({ actorId: viewer.id, act: 'inquiries.list', ...subject, detail, ip: request.ip })
    return { inquiries: await inquiryRows(deps, shown), next }
  })

  memberRoute(app, getInquiry, async ({ viewer, params, request }) => {
    const found = await readableInquiry(db, viewer, params.inquiry_id)
    const subject = { subjectKind: 'inquiry', subjectId: found.id } as const
    await audit({ actorId: viewer.id, act: 'inquiry.read', ...subject, ip: request.ip })
    return { inquiry: await inquiryView(deps, viewer, found) }
  })
}

interface Holding {
  readonly viewer: Viewer
  readonly id: string
  readonly takes: boolean
  readonly ip: string
}

/** Takes an inquiry, or leaves it. */
const hold = ({ transaction, clock }: Deps, { viewer, id, takes, ip }: Holding): Promise<void> =>
  transaction(async ({ tx, audit }) => {
    const now = clock()
    const found = await lockedInquiry(tx, viewer, id)
    const holder = holderOf(found, now)
    if (!takes && holder !== viewer.id) return
    if (takes && ((holder !== null && holder !== viewer.id) || found.state === 'decided'))
      throw new ApiError('conflict')
    const subject = { subjectKind: 'inquiry', subjectId: found.id } as const
    if (holder !== viewer.id || !takes)
      audit({ actorId: viewer.id, act: takes ? 'inquiry.take' : 'inquiry.leave', ...subject, ip })
    await setInquiry(tx, found.id, {
      state: takes && found.state === 'received' ? 'in_progress' : found.state,
      takenBy: takes ? viewer.id : null,
      takenUntil: takes ? new Date(now + CASE_LOCK_MS) : null,
    })
  })
