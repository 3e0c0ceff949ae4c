// Routes by which people read and appeal decisions about them.
import type { FastifyInstance } from 'fastify'
import { listOwnDecisions, readDecision, sendAppeal } from '#contract/moderation/decisions.ts'
import type { Deps } from '#server/deps.ts'
import { timeCursor } from '#server/http/cursor.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute, route } from '#server/http/route.ts'
import { type DecisionRow, findDecision, listDecisionsAbout } from '#server/store/moderation/decisions.ts'
import { accountState } from '#server/store/people/people.ts'
import { appeal } from './appeals.ts'
import { ownDecisions } from './decision-views.ts'

const PAGE = 20

export function ownDecisionRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock, secrets, settings } = deps
  const rateLimit = settings.limits.appeals

  memberRoute(app, listOwnDecisions, async ({ viewer, query }) => {
    const after = timeCursor.read(query.cursor)
    const rows = await listDecisionsAbout(db, viewer.id, { after, limit: PAGE + 1 })
    const { shown, next } = timeCursor.pageOf(rows, PAGE, ({ decidedAt: at, id }) => ({ at, id }))
    return { decisions: await ownDecisions(db, shown, clock()), next }
  })

  const viewOf = async (row: DecisionRow) => {
    const [decision] = await ownDecisions(db, [row], clock())
    if (!decision) throw new Error('a decision has no case')
    return { decision }
  }
  /** The decision of an email's link. An erased person has none. */
  const linked = async (id: string, token: string): Promise<DecisionRow> => {
    const row = secrets.isMac('decision', id, token) ? await findDecision(db, id) : undefined
    if (!row || row.personId === null) throw new ApiError('link_invalid')
    return row
  }

  route(
    app,
    readDecision,
    async ({ body }) => {
      const row = await linked(body.decision_id, body.token)
      const records = row.personId !== null && (await accountState(db, row.personId)) === 'suspended'
      return { ...(await viewOf(row)), records }
    },
    { rateLimit },
  )

  route(
    app,
    sendAppeal,
    async ({ viewer, body }) => {
      const { decision_id: id, token, text } = body
      if (token === undefined && !viewer) throw new ApiError('unauthenticated')
      const row = token === undefined ? await findDecision(db, id) : await linked(id, token)
      if (!row || (token === undefined && row.personId !== viewer?.id)) throw new ApiError('not_found')
      if (row.outcome !== 'acted') throw new ApiError('not_found')
      await appeal(deps, row.id, text)
      return viewOf(row)
    },
    { rateLimit },
  )
}
