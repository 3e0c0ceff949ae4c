// The session: sign-out, get-session, and the two cookies (specification sections 3, 4, 7, 9).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { roleNames } from '#contract/administration/role-names.ts'
import { id, instant } from '#contract/ids.ts'

/** Holds `Bearer <token>`, percent-encoded. The server reads it on GET and HEAD only. */
export const AUTH_COOKIE = 'todoke_token'
/** Companion of the token cookie: when both expire, ms since 1970. */
export const AUTH_EXPIRY_COOKIE = 'todoke_token_expires'

/** Names the browser, signed by the server; no page can read it. It outlives sign-out. */
export const DEVICE_COOKIE = 'todoke_device'

export const sessionUser = v.object({
  id,
  email: v.string(),
  name: v.string(),
  avatar_url: v.nullable(v.string()),
  /** What the screens show; every call of staff is decided on the server. */
  role: v.optional(v.picklist(roleNames), 'member'),
  /** An identity check was approved: plan and priced posts may be published. Absent where the server sends none. */
  identified: v.optional(v.boolean()),
  /** A value that changes with every block or mute that hides people from this person or shows them again. */
  apart: v.optional(v.string()),
  /** When the account will be deleted; present while its person can still take that back. */
  deletion_due: v.optional(instant),
  /** Section 3: present while a password reset is under way. */
  password_reset_token: v.optional(v.string()),
})
export type SessionUser = v.InferOutput<typeof sessionUser>

export const sessionReply = v.object({
  token: v.pipe(v.string(), v.nonEmpty()),
  token_type: v.literal('Bearer'),
  user: sessionUser,
})
export type SessionReply = v.InferOutput<typeof sessionReply>

/** What a client reads of `sessionReply`: it logs a token that is not text and refuses the sign-in (section 8). */
export const receivedSession = v.object({ token: v.unknown(), user: sessionUser })

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/auth/sign-out',
  audience: 'member',
  whileLeaving: true,
  summary: 'このトークンを無効にします',
  reply: v.object({ signed_out: v.literal(true) }),
  errors: ['unauthenticated'],
})

export const getSession = endpoint({
  name: 'getSession',
  method: 'GET',
  path: '/auth/session',
  audience: 'member',
  whileLeaving: true,
  summary: 'サインインしている本人',
  /** `build`: the build of the calling page (`contract/notices/admin-notices.ts`); another text is not stored. */
  query: v.object({ build: v.optional(v.pipe(v.string(), v.maxLength(40))) }),
  /** `token`: the new token. The old one is valid until the first use of the new one. */
  reply: v.object({ user: sessionUser, token: v.optional(v.pipe(v.string(), v.nonEmpty())) }),
  errors: ['unauthenticated', 'suspended'],
})

/**
 * Whether an account exists, for a device that has its unsent posts and no session. A deleted account and one the
 * server has never had are both `closed`.
 */
export const getAccountState = endpoint({
  name: 'getAccountState',
  method: 'GET',
  path: '/auth/accounts/:user_id',
  audience: 'open',
  summary: 'アカウントが存在するかどうか',
  params: v.object({ user_id: id }),
  reply: v.object({ state: v.picklist(['open', 'closed']) }),
  errors: [],
})
