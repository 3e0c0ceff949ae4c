// The person of a request, and the checks by which routes require one.
import type { FastifyRequest } from 'fastify'
import { type Area, mayUse } from '#contract/administration/areas.ts'
import type { SessionUserRow } from '#server/store/accounts/sessions.ts'
import { ApiError } from './errors.ts'

export type Viewer = SessionUserRow

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in person; null for visitors and for people with a leaving account. */
    viewer: Viewer | null
    /** A person with a leaving account: a visitor for every route except those that cancel the deletion. */
    leaver: Viewer | null
    /** Whether the token belongs to a suspended account: its person is a visitor, and refusals have this code. */
    suspended: boolean
    /** The suspended person of a decision's emailed link: a visitor for every route except those of payment records. */
    recordsOf: string | null
  }
}

/**
 * Requires a signed-in person.
 * @throws ApiError `unauthenticated`; `leaving` for a leaving account; `suspended`
 */
export function memberOf(request: FastifyRequest): Viewer {
  if (request.viewer) return request.viewer
  if (request.suspended) throw new ApiError('suspended')
  throw new ApiError(request.leaver ? 'leaving' : 'unauthenticated')
}

/** Requires a signed-in person, who may have a leaving account. */
export function memberOrLeavingOf(request: FastifyRequest): Viewer {
  return request.leaver ?? memberOf(request)
}

/**
 * Requires staff whose role has the area, in a session that a passkey has proven if an admin has one.
 * @throws ApiError `not_found` for every other person; `passkey_required`
 */
export function staffOf(request: FastifyRequest, area: Area): Viewer {
  const viewer = memberOf(request)
  if (!mayUse(viewer.role, area)) throw new ApiError('not_found')
  if (viewer.passkeyRequired && viewer.passkeyAt === null) throw new ApiError('passkey_required')
  return viewer
}
