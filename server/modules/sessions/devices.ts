// Where an account is signed in, and ending that from somewhere else.
import type { FastifyInstance } from 'fastify'
import { listSessions, revokeOtherSessions, revokeSession, type SessionView } from '#contract/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { deviceOf } from '#server/http/device-name.ts'
import { ApiError } from '#server/http/errors.ts'
import { memberRoute } from '#server/http/route.ts'
import {
  listSessions as sessionsOf,
  removeSession,
  removeSessions,
  type Session,
} from '#server/store/sessions.ts'

function viewOf(session: Session, current: string): SessionView {
  const { id, place, ip, method } = session
  return {
    id,
    device: deviceOf(session.device),
    place,
    ip,
    method,
    created_at: session.createdAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    current: id === current,
  }
}

export function deviceRoutes(app: FastifyInstance, { db, clock, realtime }: Deps): void {
  memberRoute(app, listSessions, async ({ viewer }) => {
    const rows = await sessionsOf(db, viewer.id, clock())
    const views = rows.map((row) => viewOf(row, viewer.sessionId))
    return { sessions: views.toSorted((a, b) => Number(b.current) - Number(a.current)) }
  })

  memberRoute(app, revokeSession, async ({ viewer, params }) => {
    if (!(await removeSession(db, viewer.id, params.session_id))) throw new ApiError('not_found')
    realtime.end([{ is: 'session', userId: viewer.id, sessionId: params.session_id }])
    return { revoked: true as const }
  })

  memberRoute(app, revokeOtherSessions, async ({ viewer }) => {
    const revoked = await removeSessions(db, viewer.id, viewer.sessionId)
    realtime.end([{ is: 'person', userId: viewer.id, except: viewer.sessionId }])
    return { revoked }
  })
}
