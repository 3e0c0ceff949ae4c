// When the other person of a conversation last had the app open.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { id, instant } from '#contract/ids.ts'

/** `at`: to five minutes. */
const presence = v.variant('is', [
  v.object({ is: v.literal('online') }),
  v.object({ is: v.literal('seen'), at: instant }),
])
export type Presence = v.InferOutput<typeof presence>

/**
 * Null unless both have turned `shows_presence` on and both take part in the conversation, or where no time is known. It
 * is not cached on the device.
 */
export const getPresence = endpoint({
  name: 'getPresence',
  method: 'GET',
  path: '/conversations/:user_id/presence',
  audience: 'member',
  summary: '相手の最終ログイン',
  params: v.object({ user_id: id }),
  reply: v.object({ presence: v.nullable(presence) }),
  errors: ['unauthenticated', 'not_found'],
})
