// Signatures of the Pusher protocol: grants of channels, and calls of other processes.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import type { Grant, JoinRequest } from './realtime.ts'

export interface App {
  readonly id: string
  readonly key: string
  readonly secret: string
}

/** A grant is valid for one connection and for this time, ms. */
const GRANT_MS = 60_000
/** Largest clock difference of a publishing process, s. */
const CLOCK_S = 600

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex')

function same(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

export interface Granted {
  readonly userId: string
  readonly name: string
  readonly sessionId: string
  /** When the authorization began, ms since 1970. */
  readonly at: number
}

const channelData = v.object({
  user_id: v.string(),
  user_info: v.object({ name: v.string() }),
  session_id: v.string(),
  at: v.number(),
})

const signed = ({ key, secret }: App, socketId: string, channel: string, data: string) =>
  `${key}:${hmac(secret, `${socketId}:${channel}:${data}`)}`

/** Signs a grant for this server, with the person and session of the connection. */
export function grantOf(app: App, { socketId, channel, person, sessionId, at }: JoinRequest): Grant {
  const data: v.InferInput<typeof channelData> = {
    user_id: person.id,
    user_info: { name: person.name },
    session_id: sessionId,
    at,
  }
  const channel_data = JSON.stringify(data)
  return { auth: signed(app, socketId, channel, channel_data), channel_data }
}

/** Checks a grant that a client sent. `stale`: it was valid, and has expired. */
export function readGrant(
  app: App,
  received: { socketId: string; channel: string; auth: string; channel_data: string },
  now: number,
): { is: 'good'; granted: Granted } | { is: 'stale' } | { is: 'wrong' } {
  if (!same(signed(app, received.socketId, received.channel, received.channel_data), received.auth))
    return { is: 'wrong' }
  const { user_id, user_info, session_id, at } = v.parse(channelData, JSON.parse(received.channel_data))
  if (now - at > GRANT_MS) return { is: 'stale' }
  return { is: 'good', granted: { userId: user_id, name: user_info.name, sessionId: session_id, at } }
}

export interface SignedCall {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: string
}

/** Whether a call of the HTTP API was signed recently with the app's secret, over this body. */
export function isSigned(app: App, { method, path, query, body }: SignedCall, now: number): boolean {
  const { auth_signature: given = '', ...rest } = query
  const text = Object.keys(rest)
    .sort()
    .map((name) => `${name.toLowerCase()}=${rest[name]}`)
    .join('&')
  const right = hmac(app.secret, [method, path, text].join('\n'))
  const isRecent = Math.abs(now / 1000 - Number(rest['auth_timestamp'])) <= CLOCK_S
  const hasSameBody = same(createHash('md5').update(body).digest('hex'), rest['body_md5'] ?? '')
  return same(right, given) && isRecent && hasSameBody && rest['auth_key'] === app.key
}
