// Who is asking: the bearer token of the Authorization header, or of the cookie where nothing can be changed by it.
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AUTH_COOKIE } from '#contract/session.ts'
import type { Places } from '#server/adapters/places.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import {
  findLaterSession,
  findSession,
  type SessionUserRow,
  type StaleSession,
  touchSession,
} from '#server/store/sessions.ts'
import { ApiError } from './errors.ts'
import { type Ender, endStolen, isSameDevice } from './stale-token.ts'
import { isAdminPage, isServers } from './unknown-paths.ts'

export type Viewer = SessionUserRow

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before every handler; null for a visitor, and for whoever waits for their account's deletion. */
    viewer: Viewer | null
    /** The person who waits for their account's deletion: to everything but taking that back they are a visitor. */
    leaver: Viewer | null
    /** The token is that of an account an admin has shut: its person is a visitor who is told why. */
    suspended: boolean
  }
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const bearer = (text: string | undefined) => /^Bearer +([\w-]{20,100})$/i.exec(text ?? '')?.[1]

/** The cookie answers for images and video, which send no header; never for a request that changes something. */
function tokenOf(request: FastifyRequest): string | undefined {
  if (request.headers.authorization !== undefined) return bearer(request.headers.authorization)
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  return bearer(request.cookies[AUTH_COOKIE])
}

/** The token of the Authorization header; what it allows is for the database to say. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return bearer(request.headers.authorization)
}

interface Known extends Ender {
  readonly db: Db
  readonly places: Places
  readonly secrets: Secrets
  readonly clock: () => number
}

export function knowViewer(app: FastifyInstance, deps: Known): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('leaver', null)
  app.decorateRequest('suspended', false)
  app.addHook('onRequest', async (request) => {
    // The app's own files are the same for everyone; only admins are shown that their pages exist.
    const asks = isServers(request.url) || isAdminPage(request.url)
    const token = asks ? tokenOf(request) : undefined
    const person = token === undefined ? null : await personOf(deps, request, token)
    if (person?.suspended) request.suspended = true
    else if (person) request[person.deletionDue === null ? 'viewer' : 'leaver'] = person
  })
}

async function personOf(known: Known, request: FastifyRequest, token: string): Promise<Viewer | null> {
  const { db, places, clock } = known
  const { ip, deviceId } = request
  const found = await findSession(db, hashToken(token), deviceId, clock())
  switch (found.is) {
    case 'known':
      await touchSession(db, found, () => ({ ip, place: places.of(ip) }), clock())
      return found.user
    case 'stale':
      await refuseStale(known, request, found)
      return null
    case 'unknown': {
      const later = await findLaterSession(db, laterHashes(known.secrets, token), clock())
      if (later) await refuseStale(known, request, later)
      return null
    }
    default:
      return found satisfies never
  }
}

/** Exchanges after which a token is no longer recognised. A token is exchanged once a day. */
const TRACED_EXCHANGES = 30

/** Hashes of the tokens that this one was exchanged for: each token is the MAC of the one before it. */
function laterHashes(secrets: Secrets, token: string): string[] {
  const hashes: string[] = []
  for (let next = token; hashes.length < TRACED_EXCHANGES;) {
    next = secrets.mac('session', next)
    hashes.push(hashToken(next))
  }
  return hashes
}

/** A tab that slept through the exchange is refused; a token that was copied to another device ends the session. */
async function refuseStale(known: Known, request: FastifyRequest, session: StaleSession): Promise<void> {
  const copied = !isSameDevice(session, request)
  request.log.warn({ session: session.sessionId, copied }, 'a token was used after it had been exchanged')
  if (copied) await endStolen(known, session, request)
}

/** The signed-in person, or a 401; `leaving` for one who waits for their account's deletion, `suspended` for one shut out. */
export function memberOf(request: FastifyRequest): Viewer {
  if (request.viewer) return request.viewer
  if (request.suspended) throw new ApiError('suspended')
  throw new ApiError(request.leaver ? 'leaving' : 'unauthenticated')
}

/** As `memberOf`, for the few calls open to whoever waits for their account's deletion. */
export function memberOrLeaverOf(request: FastifyRequest): Viewer {
  return request.leaver ?? memberOf(request)
}

/** The signed-in admin; for everyone else the address does not exist. */
export function adminOf(request: FastifyRequest): Viewer {
  const viewer = memberOf(request)
  if (viewer.role !== 'admin') throw new ApiError('not_found')
  return viewer
}
