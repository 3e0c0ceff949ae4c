// After a reset: lists remaining passkeys and sessions, and ends them with the reset token.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { credentialId, passkeyView } from './passkeys.ts'
import { required } from '#contract/rules.ts'
import { sessionView } from './sessions.ts'

const token = v.pipe(required, v.maxLength(200, 'too_long'))
const left = v.object({ passkeys: v.array(passkeyView), sessions: v.array(sessionView) })

/** The token of a reset allows this for 15 minutes (`RESET_MS`) after the new password was set. */
export const reviewReset = endpoint({
  name: 'reviewReset',
  method: 'POST',
  path: '/auth/reset/review',
  audience: 'open',
  summary: '再設定のあとに残っているパスキーとログイン中の端末',
  body: v.object({ password_reset_token: token }),
  reply: left,
  errors: ['link_invalid'],
})

/** Returns the remaining passkeys and sessions. A missing passkey is no error. */
export const removePasskeyAfterReset = endpoint({
  name: 'removePasskeyAfterReset',
  method: 'POST',
  path: '/auth/reset/review/passkey',
  audience: 'open',
  summary: '再設定のあとにパスキーを削除します',
  body: v.object({ password_reset_token: token, passkey_id: credentialId }),
  reply: left,
  errors: ['link_invalid'],
})

/** Ends one session, or all of them without `session_id`. Gives what is left. */
export const endSessionsAfterReset = endpoint({
  name: 'endSessionsAfterReset',
  method: 'POST',
  path: '/auth/reset/review/sessions',
  audience: 'open',
  summary: '再設定のあとに端末をログアウトさせます',
  body: v.object({ password_reset_token: token, session_id: v.optional(id) }),
  reply: left,
  errors: ['link_invalid'],
})
