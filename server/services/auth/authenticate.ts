// Authentication of requests: by the bearer token of the Authorization header, or of the cookie for GET and HEAD.
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import type { Places } from '#server/adapters/geoip.ts'
import type { Viewer } from '#server/http/viewer.ts'
import type { Secrets } from '#server/adapters/secrets.ts'
import type { Db } from '#server/store/database.ts'
import {
  findLaterSession,
  findSession,
  type StaleSession,
  touchSession,
} from '#server/store/accounts/sessions.ts'
import { type Ender, endStolen, isSameDevice } from './stale-token.ts'
import { isAdminPage, isServers } from '#server/http/unknown-paths.ts'

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

const bearer = (text: string | undefined) => /^Bearer +([\w-]{20,100})$/i.exec(text ?? '')?.[1]

/** The cookie authenticates images and video, which send no header; never a request that changes something. */
function tokenOf(request: FastifyRequest): string | undefined {
  if (request.headers.authorization !== undefined) return bearer(request.headers.authorization)
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
  return bearer(request.cookies[AUTH_COOKIE])
}

/** The token of the Authorization header, not looked up. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return bearer(request.headers.authorization)
}

interface AuthenticationDeps extends Ender {
  readonly db: Db
  readonly places: Places
  readonly secrets: Secrets
  readonly clock: () => number
}

export function authenticateRequests(app: FastifyInstance, deps: AuthenticationDeps): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('leaver', null)
  app.decorateRequest('suspended', false)
  app.addHook('onRequest', async (request) => {
    // The app's own files are the same for every person; that admin pages exist is shown to admins alone.
    const asks = isServers(request.url) || isAdminPage(request.url)
    const token = asks ? tokenOf(request) : undefined
    const person = token === undefined ? null : await userOf(deps, request, token)
    if (person?.suspended) request.suspended = true
    else if (person) request[person.deletionDue === null ? 'viewer' : 'leaver'] = person
  })
}

async function userOf(
  known: AuthenticationDeps,
  request: FastifyRequest,
  token: string,
): Promise<Viewer | null> {
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

/** Refuses a token that was exchanged; when it comes from another device, it was copied, and the session ends. */
async function refuseStale(
  known: AuthenticationDeps,
  request: FastifyRequest,
  session: StaleSession,
): Promise<void> {
  const copied = !isSameDevice(session, request)
  request.log.warn({ session: session.sessionId, copied }, 'a token was used after it had been exchanged')
  if (copied) await endStolen(known, session, request)
}
