// The person behind a request, as `authenticateRequests` found them, and what routes ask of them.
import type { FastifyRequest } from 'fastify'
import type { SessionUserRow } from '#server/store/accounts/sessions.ts'
import { ApiError } from './errors.ts'

export type Viewer = SessionUserRow

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before every handler; null for visitors and for people whose account waits for its deletion. */
    viewer: Viewer | null
    /** A person whose account waits for its deletion: a visitor to every route but those that undo it. */
    leaver: Viewer | null
    /** The token belongs to a suspended account: its person is a visitor, and replies name the reason. */
    suspended: boolean
  }
}

/**
 * The signed-in person.
 * @throws ApiError `unauthenticated`, `leaving` while the account waits for its deletion, `suspended`
 */
export function memberOf(request: FastifyRequest): Viewer {
  if (request.viewer) return request.viewer
  if (request.suspended) throw new ApiError('suspended')
  throw new ApiError(request.leaver ? 'leaving' : 'unauthenticated')
}

/** As `memberOf`, also for people whose account waits for its deletion. */
export function memberOrLeavingOf(request: FastifyRequest): Viewer {
  return request.leaver ?? memberOf(request)
}

/** The signed-in admin. @throws ApiError `not_found` for every other person */
export function adminOf(request: FastifyRequest): Viewer {
  const viewer = memberOf(request)
  if (viewer.role !== 'admin') throw new ApiError('not_found')
  return viewer
}
