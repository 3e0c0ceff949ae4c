// The current step of registering, resetting a password or changing an address; survives a reload.
import { REGISTRATION_MS } from '#contract/limits.ts'
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { askReset } from '#contract/accounts/password.ts'
import { sessionView } from '#contract/accounts/sessions.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const tab = () => sessionStorage
const device = () => localStorage

/** Milliseconds since 1970 of the last requested email. */
const sentAt = v.number()

/** A registration that waits for its letter. The link opens another tab, so the device keeps it, not the tab. */
export const registration = createPersistedValue(
  device,
  'todoke.registration',
  v.pipe(
    v.object({
      registration_id: id,
      claim: v.string(),
      email: v.string(),
      to: v.optional(v.string()),
      sentAt,
    }),
    v.check((it) => Date.now() - it.sentAt < REGISTRATION_MS),
  ),
)

/** Text typed into the registration form, for correcting it later. Never the password. */
export const typedRegistration = createPersistedValue(
  tab,
  'todoke.registration.typed',
  v.object({ email: v.string(), name: v.string(), birth_date: v.string() }),
)

/** The secret of a registration's link, once it is out of the address bar. */
export const confirmation = createPersistedValue(tab, 'todoke.confirmation', v.object({ token: v.string() }))

/** The page that a person wanted before they registered. */
export const wantedAfter = createPersistedValue(tab, 'todoke.wanted', v.object({ to: v.string() }))

/** A password reset under way. */
export const reset = createPersistedValue(
  tab,
  'todoke.reset',
  v.variant('is', [
    v.object({
      is: v.literal('asked'),
      email: v.string(),
      /** Only the requesting device has it: the code is valid for this request only. */
      requestId: v.string(),
      sentAt,
      /** No other code is sent sooner than this after `sentAt`, ms. */
      pause: v.number(),
    }),
    v.object({ is: v.literal('proven'), email: v.string(), token: v.string() }),
    v.object({ is: v.literal('done'), token: v.string(), ended: v.array(sessionView) }),
  ]),
)

/** Keeps what the server answered to a request for a code. */
export function resetAsked(
  email: string,
  { request_id: requestId, again_after_s: pause }: ReplyOf<typeof askReset>,
): void {
  reset.save({ is: 'asked', email, requestId, sentAt: Date.now(), pause: pause * 1000 })
}

/** The token of a reset that this tab has proven. */
export function provenReset(): string | undefined {
  const it = reset.read()
  return it?.is === 'proven' ? it.token : undefined
}

/** A new address that waits for its code. */
export const emailChange = createPersistedValue(
  tab,
  'todoke.email-change',
  v.object({ email: v.string(), sentAt }),
)
