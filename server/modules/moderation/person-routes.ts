// Routes of staff for cases that they open, and for decisions about one person.
import type { FastifyInstance } from 'fastify'
import {
  listPersonContent,
  openCase,
  type PersonDecision,
  readPersonCases,
} from '#contract/moderation/person-cases.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { beginning } from '#server/services/notifications/views.ts'
import type { Db } from '#server/store/database.ts'
import { findCaseOfPerson, findCases, waitingOf } from '#server/store/moderation/cases.ts'
import { listDecisionsAbout } from '#server/store/moderation/decisions.ts'
import { findUser } from '#server/store/people/people.ts'
import { listContentOf, type PersonContentRow } from '#server/store/staff/person-content.ts'
import { openTakenCase } from './access.ts'
import { caseRows } from './case-rows.ts'
import { caseDecisions } from './decision-views.ts'

const PAGE = 20

export function personRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit } = deps
  memberRoute(app, openCase, async ({ viewer, body, request }) => {
    const opening = { viewer, kind: body.kind, targetId: body.target_id, ip: request.ip }
    const [row] = await caseRows(db, [await openTakenCase(deps, opening)], clock())
    if (!row) throw new Error('a case has no row')
    return { case: row }
  })

  memberRoute(app, readPersonCases, async ({ viewer, params, request }) => {
    await mustBeOther(db, viewer, params.user_id)
    const own = await findCaseOfPerson(db, params.user_id, viewer.id)
    const [row = null] = own ? await caseRows(db, [own], clock()) : []
    const entry = { act: 'person.cases', subjectKind: 'user', subjectId: params.user_id } as const
    await audit({ actorId: viewer.id, ...entry, ip: request.ip })
    return {
      case: row,
      decisions: await decisionsAbout(db, params.user_id, viewer.id),
      waiting: await waitingOf(db, params.user_id, viewer.id),
    }
  })

  memberRoute(app, listPersonContent, async ({ viewer, params, query, request }) => {
    await mustBeOther(db, viewer, params.user_id)
    const after = timeCursor.read(query.cursor)
    const rows = await listContentOf(db, params.user_id, query.kind, { after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ createdAt: at, id }) => ({ at, id }))
    const entry = { act: 'person.content', subjectKind: 'user', subjectId: params.user_id } as const
    const detail = { things: shown.map((it) => it.id) }
    await audit({ actorId: viewer.id, ...entry, detail, ip: request.ip })
    return { content: shown.map((it) => ({ kind: query.kind, ...contentView(it) })), next }
  })
}

/** @throws ApiError `not_found` for the viewer, whose own cases are for others, and for a person who does not exist */
async function mustBeOther(db: Db, viewer: Viewer, userId: string): Promise<void> {
  if (userId === viewer.id || !(await findUser(db, userId))) throw new ApiError('not_found')
}

async function decisionsAbout(db: Db, personId: string, readerId: string): Promise<PersonDecision[]> {
  const rows = await listDecisionsAbout(db, personId, { readerId, limit: PAGE })
  const cases = await findCases(
    db,
    rows.map((it) => it.caseId),
  )
  const views = new Map((await caseDecisions(db, rows)).map((it) => [it.id, it]))
  return rows.flatMap((row) => {
    const [found, view] = [cases.get(row.caseId), views.get(row.id)]
    return found && view ? [{ ...view, case_id: found.id, kind: found.targetKind, excerpt: row.excerpt }] : []
  })
}

const contentView = (it: PersonContentRow) => ({
  id: it.id,
  post_id: it.postId,
  excerpt: beginning(it.text) ?? '',
  state: it.isWithheld ? ('withheld' as const) : it.isHeld ? ('held' as const) : ('present' as const),
  is_age_limited: it.isAgeLimited,
  created_at: it.createdAt.toISOString(),
})
