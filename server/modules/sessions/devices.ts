// Routes of an account's sessions: the list, and ending sessions from another one.
import type { FastifyInstance } from 'fastify'
import { listSessions, revokeOtherSessions, revokeSession } from '#contract/accounts/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { sessionView } from '#server/services/auth/account-views.ts'
import { endSessions } from '#server/services/auth/end-sessions.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import { listSessions as sessionsOf } from '#server/store/accounts/sessions.ts'

export function deviceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps
  memberRoute(app, listSessions, async ({ viewer }) => {
    const rows = await sessionsOf(db, viewer.id, clock())
    const views = rows.map((row) => sessionView(row, viewer.sessionId))
    return { sessions: views.toSorted((a, b) => Number(b.current) - Number(a.current)) }
  })

  memberRoute(app, revokeSession, async ({ viewer, params }) => {
    if ((await endSessions(deps, viewer.id, { only: params.session_id })) === 0)
      throw new ApiError('not_found')
    return { revoked: true as const }
  })

  memberRoute(app, revokeOtherSessions, async ({ viewer, request }) => {
    const others = { except: viewer.sessionId, exceptDevice: request.deviceId }
    return { revoked: await endSessions(deps, viewer.id, others) }
  })
}
