// Links of reset emails: the recipient reads, refuses or allows unrequested codes.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { mailToken } from './password.ts'

/** The link of a reset email works for this long, ms: longer than a refusal, so that the refusal can be undone. */
export const RESET_MAIL_MS = 14 * 24 * 3600_000
/** A refusal lasts this long, ms. */
export const RESET_REFUSAL_MS = 7 * 24 * 3600_000

const body = v.object({ token: mailToken })
/** Null while codes are sent for every request. */
const state = v.object({ email: v.string(), refused_until: v.nullable(instant) })

/** Changes nothing. `link_invalid` also when the address has no account any more. */
export const readResetMail = endpoint({
  name: 'readResetMail',
  method: 'POST',
  path: '/auth/reset/mail',
  audience: 'open',
  summary: '再設定のメールを送る設定',
  body,
  reply: state,
  errors: ['link_invalid'],
})

/** Stops emails with unrequested codes for seven days. */
export const refuseResetMail = endpoint({
  name: 'refuseResetMail',
  method: 'POST',
  path: '/auth/reset/mail/refuse',
  audience: 'open',
  summary: '身に覚えのない再設定のメールを止めます',
  body,
  reply: state,
  errors: ['link_invalid'],
})

export const allowResetMail = endpoint({
  name: 'allowResetMail',
  method: 'POST',
  path: '/auth/reset/mail/allow',
  audience: 'open',
  summary: '再設定のメールをまた受け取ります',
  body,
  reply: state,
  errors: ['link_invalid'],
})
