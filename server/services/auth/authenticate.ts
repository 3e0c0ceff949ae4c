// Authenticates requests by a bearer token in the header, or in the cookie of reads.
import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AUTH_COOKIE } from '#contract/accounts/session.ts'
import { type DecisionLink, parseRecordsToken } from '#contract/moderation/records-token.ts'
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
import { findDecision } from '#server/store/moderation/decisions.ts'
import { accountState } from '#server/store/people/people.ts'
import { type StaleTokenPorts, endStolen, isSameDevice } from './stale-token.ts'
import { isAdminPage, isServerPath } from '#server/http/unknown-paths.ts'

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

interface AuthenticationPorts extends StaleTokenPorts {
  readonly db: Db
  readonly places: Places
  readonly secrets: Secrets
  readonly clock: () => number
}

export function authenticateRequests(app: FastifyInstance, ports: AuthenticationPorts): void {
  app.decorateRequest('viewer', null)
  app.decorateRequest('leaver', null)
  app.decorateRequest('suspended', false)
  app.decorateRequest('recordsOf', null)
  app.addHook('onRequest', async (request) => {
    // The app's files are the same for every person; only admins may learn that admin pages exist.
    const needsPerson = isServerPath(request.url) || isAdminPage(request.url)
    const token = needsPerson ? tokenOf(request) : undefined
    const link = token === undefined ? undefined : parseRecordsToken(token)
    if (link) request.recordsOf = await suspendedOf(ports, link)
    const person = token === undefined || link ? null : await userOf(ports, request, token)
    if (person?.suspended) request.suspended = true
    else if (person) request[person.deletionDue === null ? 'viewer' : 'leaver'] = person
  })
}

async function userOf(
  ports: AuthenticationPorts,
  request: FastifyRequest,
  token: string,
): Promise<Viewer | null> {
  const { db, places, clock } = ports
  const { ip, deviceId } = request
  const found = await findSession(db, hashToken(token), deviceId, clock())
  switch (found.is) {
    case 'known':
      await touchSession(db, found, () => ({ ip, place: places.of(ip) }), clock())
      return found.user
    case 'stale':
      await refuseStale(ports, request, found)
      return null
    case 'unknown': {
      const later = await findLaterSession(db, laterHashes(ports.secrets, token), clock())
      if (later) await refuseStale(ports, request, later)
      return null
    }
    default:
      return found satisfies never
  }
}

/** The person of a decision's emailed link while the account is suspended; null otherwise. */
async function suspendedOf(
  { db, secrets }: AuthenticationPorts,
  { decisionId, token }: DecisionLink,
): Promise<string | null> {
  const decision = secrets.isMac('decision', decisionId, token)
    ? await findDecision(db, decisionId)
    : undefined
  const personId = decision?.personId ?? null
  return personId !== null && (await accountState(db, personId)) === 'suspended' ? personId : null
}

/** An exchanged token is recognised up to this many exchanges later. A token is exchanged once a day. */
const TRACED_EXCHANGES = 30

/**
 * Hashes of the tokens that this one was exchanged for: each token is the MAC of the one before it, by the key of its day. After
 * a change of the key, no exchange is by an earlier key again.
 */
function laterHashes(secrets: Secrets, token: string): string[] {
  const hashes: string[] = []
  // Each token with the number of keys that the next exchange may be by, the present one first.
  let tokens = [{ token, keys: Infinity }]
  for (let n = 0; n < TRACED_EXCHANGES; n++) {
    tokens = tokens.flatMap((it) =>
      secrets
        .macs('session', it.token)
        .slice(0, it.keys)
        .map((next, index) => ({ token: next, keys: index + 1 })),
    )
    hashes.push(...tokens.map((it) => hashToken(it.token)))
  }
  return hashes
}

/** Refuses an exchanged token. From another device it is a copy, and the session ends. */
async function refuseStale(
  ports: AuthenticationPorts,
  request: FastifyRequest,
  session: StaleSession,
): Promise<void> {
  const copied = !isSameDevice(session, request)
  request.log.warn({ session: session.sessionId, copied }, 'a token was used after it had been exchanged')
  if (copied) await endStolen(ports, session, request)
}
