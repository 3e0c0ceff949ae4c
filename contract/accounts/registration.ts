// Registration by email link; replies do not reveal whether an address has an account.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id } from '#contract/ids.ts'
import { required } from '#contract/rules.ts'
import { sessionReply } from './session.ts'
import { signUpBody } from './sign-in.ts'

const secret = v.pipe(required, v.maxLength(100, 'too_long'))

/** Section 7 sign-up; the sign-in that follows waits for the email. */
export const register = endpoint({
  name: 'register',
  method: 'POST',
  path: '/auth/sign-up',
  audience: 'open',
  summary: '登録を申し込みます。確認のメールが届きます',
  body: signUpBody,
  /**
   * `claim` stays on the device that registered: there the email's link alone is enough. `sent` is false when the address has received
   * as many links as a day allows: one of those completes this registration.
   */
  reply: v.object({ registration_id: id, claim: v.string(), sent: v.optional(v.boolean(), true) }),
  errors: ['sign_up_closed'],
})

export const resendRegistration = endpoint({
  name: 'resendRegistration',
  method: 'POST',
  path: '/auth/sign-up/resend',
  audience: 'open',
  summary: '確認のメールを再送します',
  body: v.object({ registration_id: id, claim: secret }),
  reply: v.object({ sent: v.literal(true) }),
  errors: ['link_invalid'],
})

/**
 * Creates the account and signs in. On another device than the registering one it needs the password (`confirm_password`):
 * a person who receives an unrequested email must not finish another person's registration.
 */
export const confirmRegistration = endpoint({
  name: 'confirmRegistration',
  method: 'POST',
  path: '/auth/sign-up/confirm',
  audience: 'open',
  summary: 'メールのリンクで登録を完了します',
  body: v.object({
    token: secret,
    claim: v.optional(secret),
    password: v.optional(v.pipe(v.string(), v.maxLength(200, 'too_long'))),
  }),
  reply: sessionReply,
  errors: ['link_invalid', 'confirm_password', 'wrong_credentials', 'sign_up_closed'],
})
