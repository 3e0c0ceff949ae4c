// The links of a recovery of sign-in, which staff began and the account's email received.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { required } from '#contract/rules.ts'

/** The link is valid for this time, and so long passkeys and second factor stay after it was used, ms. */
export const RECOVERY_MS = 24 * 3600_000

const body = v.object({ token: v.pipe(required, v.maxLength(100, 'too_long')) })

/** Uses the link once: ends every session, and begins the waiting time. */
export const confirmAccountRecovery = endpoint({
  name: 'confirmAccountRecovery',
  method: 'POST',
  path: '/auth/recovery/confirm',
  audience: 'open',
  summary: 'ログインの復旧を続けます',
  body,
  /** When passkeys and second factor are removed. */
  reply: v.object({ due_at: instant }),
  errors: ['link_invalid'],
})

export const stopAccountRecovery = endpoint({
  name: 'stopAccountRecovery',
  method: 'POST',
  path: '/auth/recovery/stop',
  audience: 'open',
  summary: 'ログインの復旧を中止します',
  body,
  reply: v.object({ stopped: v.literal(true) }),
  errors: ['link_invalid'],
})
