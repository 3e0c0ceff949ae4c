// Routes of staff for cases and templates.
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import {
  answerAppeal,
  decideCase,
  getCase,
  leaveCase,
  listCases,
  takeCase,
  undoDecision,
} from '#contract/moderation/cases.ts'
import { CASE_LOCK_MS } from '#contract/moderation/measures.ts'
import { id, instant } from '#contract/ids.ts'
import type { Deps } from '#server/deps.ts'
import { createCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { holderOf } from '#server/rules/moderation/restrictions.ts'
import { validatedOf } from '#server/services/auth/validated.ts'
import { type CasePlace, type CaseRecord, listCaseRows, setCase } from '#server/store/moderation/cases.ts'
import { giveBack, lockedCase, readableCase, textNumber } from './access.ts'
import { answer } from './appeals.ts'
import { caseRows } from './case-rows.ts'
import { caseView } from './case-view.ts'
import { decide, undo } from './decide.ts'

const PAGE = 30

const caseCursor = createCursor<readonly [number, string, string], CasePlace>(
  v.tuple([v.pipe(v.number(), v.safeInteger()), instant, id]),
  ({ reports, since, id: caseId }) => [reports, since.toISOString(), caseId],
  ([reports, since, caseId]) => ({ reports, since: new Date(since), id: caseId }),
)

export function caseRoutes(app: FastifyInstance, deps: Deps): void {
  readingRoutes(app, deps)
  decidingRoutes(app, deps)
}

const rowOf = async ({ db, clock }: Deps, record: CaseRecord) => {
  const [row] = await caseRows(db, [record], clock())
  if (!row) throw new Error('a case has no row')
  return row
}

function readingRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, audit } = deps
  memberRoute(app, listCases, async ({ viewer, query, request }) => {
    const after = caseCursor.read(query.cursor)
    const filter = { ...query, readerId: viewer.id }
    const rows = await listCaseRows(db, filter, after, PAGE + 1)
    const { shown, next } = caseCursor.pageOf(rows, PAGE, (it) => it)
    const detail = { state: query.state, cases: shown.map((it) => it.id) }
    const subject = { subjectKind: 'user', subjectId: viewer.id } as const
    await audit({ actorId: viewer.id, act: 'cases.list', ...subject, detail, ip: request.ip })
    return { cases: await caseRows(db, shown, clock()), next }
  })

  memberRoute(app, getCase, async ({ viewer, params, request }) => {
    const found = await readableCase(db, viewer, params.case_id)
    const subject = { subjectKind: 'case', subjectId: found.id } as const
    const detail = { text: await textNumber(db, found) }
    await audit({ actorId: viewer.id, act: 'case.read', ...subject, detail, ip: request.ip })
    return { case: await caseView(deps, viewer, found) }
  })

  /** Takes the case, or leaves it. */
  const hold = (viewer: Viewer, caseId: string, takes: boolean, ip: string) =>
    deps.transaction(async ({ tx, audit: write }) => {
      const now = clock()
      const found = await lockedCase(tx, viewer, caseId)
      const holder = holderOf(found, now)
      if (!takes && holder !== viewer.id) return found
      if (takes && ((holder !== null && holder !== viewer.id) || found.state === 'decided'))
        throw new ApiError('conflict')
      const subject = { subjectKind: 'case', subjectId: found.id } as const
      if (holder !== viewer.id || !takes)
        write({ actorId: viewer.id, act: takes ? 'case.take' : 'case.leave', ...subject, ip })
      if (!takes) return giveBack({ tx }, found)
      return setCase(tx, found.id, { takenBy: viewer.id, takenUntil: new Date(now + CASE_LOCK_MS) })
    })
  memberRoute(app, takeCase, async ({ viewer, params, request }) => ({
    case: await rowOf(deps, await hold(viewer, params.case_id, true, request.ip)),
  }))
  memberRoute(app, leaveCase, async ({ viewer, params, request }) => ({
    case: await rowOf(deps, await hold(viewer, params.case_id, false, request.ip)),
  }))
}

function decidingRoutes(app: FastifyInstance, deps: Deps): void {
  const { clock } = deps
  memberRoute(app, decideCase, async ({ viewer, params, body, request }) => {
    validatedOf(viewer, clock())
    const done = await decide(deps, { viewer, caseId: params.case_id, ...body, ip: request.ip })
    return { case: await rowOf(deps, done) }
  })
  memberRoute(app, undoDecision, async ({ viewer, params, body, request }) => {
    validatedOf(viewer, clock())
    const undoing = { viewer, caseId: params.case_id, decisionId: body.decision_id, ip: request.ip }
    return { case: await rowOf(deps, await undo(deps, undoing)) }
  })
  memberRoute(app, answerAppeal, async ({ viewer, params, body, request }) => {
    validatedOf(viewer, clock())
    const done = await answer(deps, { viewer, caseId: params.case_id, ...body, ip: request.ip })
    return { case: await rowOf(deps, done) }
  })
}
