// The sessions of an account: listing them, and ending them remotely.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/** A token older than this is exchanged for a new one by get-session, ms. */
export const ROTATE_AFTER_MS = 24 * 3600_000
/** The exchanged token is still taken for this long after the new one was first used, ms: requests under way carry it. */
export const ROTATION_GRACE_MS = 2 * 60_000

export const deviceKinds = ['phone', 'tablet', 'desktop', 'other'] as const
export type DeviceKind = (typeof deviceKinds)[number]

export const sessionView = v.object({
  id,
  device: v.object({
    /** A readable name: `iPhone の Safari`. Empty when the browser sent none. */
    name: v.string(),
    kind: v.picklist(deviceKinds),
  }),
  /** Country and city, where the operator has a place database. */
  place: v.nullable(v.string()),
  /** The network address it was last used from. */
  ip: v.string(),
  method: v.picklist(['password', 'passkey', 'registration']),
  created_at: instant,
  last_used_at: instant,
  /** The session of the request. */
  current: v.boolean(),
})
export type SessionView = v.InferOutput<typeof sessionView>

/** The session of the request first, then by last use. */
export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/auth/sessions',
  audience: 'member',
  summary: 'ログイン中の端末',
  reply: v.object({ sessions: v.array(sessionView) }),
  errors: ['unauthenticated'],
})

/** For other people the session does not exist. */
export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'DELETE',
  path: '/auth/sessions/:session_id',
  audience: 'member',
  summary: 'ひとつの端末をログアウトさせます',
  params: v.object({ session_id: id }),
  reply: v.object({ revoked: v.literal(true) }),
  errors: ['unauthenticated', 'not_found'],
})

export const revokeOtherSessions = endpoint({
  name: 'revokeOtherSessions',
  method: 'DELETE',
  path: '/auth/sessions',
  audience: 'member',
  summary: 'ほかの端末をすべてログアウトさせます',
  reply: v.object({ revoked: v.number() }),
  errors: ['unauthenticated'],
})
