// Sign-in and registration requests (specification sections 5 and 7).
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { MAX_NAME } from '#contract/limits.ts'
import { confirmOld, email, nameText, password, required } from '#contract/rules.ts'
import { inviteCode } from './invite-code.ts'
import { secondFactorCode } from './second-factor-code.ts'
import { sessionReply } from './session.ts'

export const signUpBody = v.object({
  email,
  password,
  name: nameText(MAX_NAME),
  birth_date: confirmOld,
  terms: v.literal(true, 'consent'),
  /** The code of an invitation, while registration is by invitation; otherwise ignored. */
  invite: v.optional(inviteCode),
})

export const signInBody = v.object({
  email,
  password: v.pipe(required, v.maxLength(200, 'too_long')),
  /** A code of the second factor, where the account has one. */
  code: v.optional(secondFactorCode),
  /** Section 7, extra field: the reset this browser has proven by its code; it continues in the session. */
  password_reset_token: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long'))),
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/auth/sign-in',
  audience: 'open',
  summary: 'サインインします',
  body: signInBody,
  reply: sessionReply,
  errors: ['wrong_credentials', 'second_factor_required', 'suspended', 'sign_in_paused'],
})
