// Stored steps of registration, password reset and email change.
import { REGISTRATION_MS } from '#contract/limits.ts'
import * as v from 'valibot'
import { id } from '#contract/ids.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { requestReset } from '#contract/accounts/password.ts'
import { sessionView } from '#contract/accounts/sessions.ts'
import { createPersistedValue } from '#src/lib/persisted-value.ts'

const tab = () => sessionStorage
const device = () => localStorage

/** Milliseconds since 1970 of the last requested email. */
const sentAt = v.number()

/** A registration that waits for its link. Stored on the device, since the link opens another tab. */
export const registration = createPersistedValue(
  device,
  'todoke.registration',
  v.pipe(
    v.object({
      registration_id: id,
      claim: v.string(),
      email: v.string(),
      to: v.optional(v.string()),
      /** False: an email that arrived earlier completes it. */
      sent: v.optional(v.boolean(), true),
      sentAt,
    }),
    v.check((it) => Date.now() - it.sentAt < REGISTRATION_MS),
  ),
)

/** Text typed into the registration form, for correcting it later. Never the password. */
export const typedRegistration = createPersistedValue(
  tab,
  'todoke.registration.typed',
  v.object({
    email: v.string(),
    name: v.string(),
    birth_date: v.string(),
    invite: v.optional(v.string(), ''),
  }),
)

/** The path to open after the registration. */
export const pathAfterRegistration = createPersistedValue(tab, 'todoke.wanted', v.object({ to: v.string() }))

/** A password reset in progress. */
export const reset = createPersistedValue(
  tab,
  'todoke.reset',
  v.variant('is', [
    v.object({
      is: v.literal('asked'),
      email: v.string(),
      /** Id of the request for which the code is valid; only this device has it. */
      requestId: v.string(),
      sentAt,
      /** Shortest time between two codes, ms. */
      pause: v.number(),
    }),
    v.object({ is: v.literal('proven'), email: v.string(), token: v.string() }),
    v.object({ is: v.literal('done'), token: v.string(), ended: v.array(sessionView) }),
  ]),
)

/** Stores the reply to a request for a code. */
export function saveResetRequest(
  email: string,
  { request_id: requestId, again_after_s: pause }: ReplyOf<typeof requestReset>,
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
