// Passwords: reset, validation and change (specification section 2, forgot-password steps).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { secondFactorCode } from './second-factor-code.ts'
import { mailCode } from './mail-code.ts'
import { email, password, required } from '#contract/rules.ts'
import { sessionView } from './sessions.ts'

/** A proven password allows sensitive changes for this long, ms. */
export const VALIDATION_MS = 10 * 60_000
/** The reset token is valid for this time after the right code, ms. */
export const RESET_MS = 15 * 60_000

/**
 * Between two codes sent to one address without proof that the owner requested them, ms. A request from a remembered
 * device of the account, or with the token of an earlier email, is such proof.
 */
export const UNREQUESTED_CODE_EVERY_MS = 3600_000
/** Between two codes on request of the owner, ms: what the app waits for. */
export const REQUESTED_CODE_EVERY_MS = 60_000

/** Id of a reset request: only the requesting device has it. */
const requestId = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'malformed'))
/** The token in the link of a reset email. */
export const mailToken = v.pipe(required, v.maxLength(1000, 'too_long'))

/**
 * Step 1. The same reply, after the same time, whether the address has an account or not.
 * `again_after_s`: another code is not sent sooner than this, seconds.
 */
export const requestReset = endpoint({
  name: 'askReset',
  method: 'POST',
  path: '/auth/reset',
  audience: 'open',
  summary: '再設定のコードをメールで送ります',
  body: v.object({ email, mail_token: v.optional(mailToken) }),
  reply: v.object({ sent: v.literal(true), request_id: requestId, again_after_s: v.number() }),
  errors: [],
})

/** Step 2: the code must equal the one that was sent for this request; the reset token is the reply. */
export const checkResetCode = endpoint({
  name: 'checkResetCode',
  method: 'POST',
  path: '/auth/reset/code',
  audience: 'open',
  summary: 'コードを確認します',
  body: v.object({ request_id: requestId, code: mailCode }),
  reply: v.object({ password_reset_token: v.string() }),
  errors: ['code_wrong', 'code_expired'],
})

/** Step 3. Ends every session of the account, and gives those that it ended. */
export const resetPassword = endpoint({
  name: 'resetPassword',
  method: 'POST',
  path: '/auth/reset/password',
  audience: 'open',
  summary: '新しいパスワードにします',
  body: v.object({
    password_reset_token: v.pipe(required, v.maxLength(200, 'too_long')),
    password,
  }),
  reply: v.object({ changed: v.literal(true), ended: v.array(sessionView) }),
  errors: ['link_invalid'],
})

const validation = v.object({ valid_until: v.nullable(instant) })

export const getValidation = endpoint({
  name: 'getValidation',
  method: 'GET',
  path: '/auth/validation',
  audience: 'member',
  whileLeaving: true,
  summary: 'このセッションで本人確認が済んでいる期限',
  reply: validation,
  errors: ['unauthenticated'],
})

/** An existing password, under whichever rule it was chosen. */
export const presentPassword = v.object({ password: v.pipe(required, v.maxLength(200, 'too_long')) })

/** A wrong password is answered `invalid` with `{ password: 'wrong_password' }`: the session stays. */
export const validatePassword = endpoint({
  name: 'validatePassword',
  method: 'POST',
  path: '/auth/validation',
  audience: 'member',
  whileLeaving: true,
  summary: 'パスワードを確認します。10分間有効です',
  body: v.object({ ...presentPassword.entries, code: v.optional(secondFactorCode) }),
  reply: validation,
  errors: ['unauthenticated', 'second_factor_required', 'sign_in_paused'],
})

/** Ends the person's other sessions. */
export const changePassword = endpoint({
  name: 'changePassword',
  method: 'PUT',
  path: '/auth/password',
  audience: 'member',
  summary: 'パスワードを変更します',
  body: v.object({ password }),
  reply: v.object({ changed: v.literal(true) }),
  errors: ['unauthenticated', 'validation_required'],
})
