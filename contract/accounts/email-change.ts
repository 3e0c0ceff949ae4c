// Email change: a code to the new address, a notice to the old one.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { mailCode } from './mail-code.ts'
import { email } from '#contract/rules.ts'
import { sessionUser } from './session.ts'

/** The reply is the same whether another account has the address or not. */
export const requestEmailChange = endpoint({
  name: 'askEmailChange',
  method: 'POST',
  path: '/auth/email',
  audience: 'member',
  summary: '新しいアドレスに確認コードを送ります',
  body: v.object({ email }),
  reply: v.object({ sent: v.literal(true) }),
  errors: ['unauthenticated', 'validation_required'],
})

export const confirmEmailChange = endpoint({
  name: 'confirmEmailChange',
  method: 'POST',
  path: '/auth/email/code',
  audience: 'member',
  summary: 'コードを確認してアドレスを変更します',
  body: v.object({ code: mailCode }),
  reply: v.object({ user: sessionUser }),
  errors: ['unauthenticated', 'code_wrong', 'code_expired'],
})
