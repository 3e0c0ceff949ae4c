// The second factor of an account: one-time codes (TOTP, RFC 6238) beside the password.
import * as v from 'valibot'
import { endpoint } from '#contract/endpoint.ts'
import { instant } from '#contract/ids.ts'
import { secondFactorCode } from './second-factor-code.ts'

const codes = v.object({ codes: v.array(v.string()) })

export const getSecondFactor = endpoint({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/auth/second-factor',
  audience: 'member',
  summary: '2段階認証の状態',
  /** `since`: null while it is off. `codes_left`: unused recovery codes. */
  reply: v.object({ since: v.nullable(instant), codes_left: v.number() }),
  errors: ['unauthenticated'],
})

/** A new secret, which is not required until a code confirms it. `conflict`: the second factor is on. */
export const beginSecondFactor = endpoint({
  name: 'beginSecondFactor',
  method: 'POST',
  path: '/auth/second-factor',
  audience: 'member',
  summary: '2段階認証の設定を始めます',
  /** `secret` in Base32; `uri` of the scheme `otpauth`, for a QR code. */
  reply: v.object({ secret: v.string(), uri: v.string() }),
  errors: ['unauthenticated', 'validation_required', 'conflict'],
})

/** Turns it on. The recovery codes are in this reply only. */
export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/auth/second-factor/confirm',
  audience: 'member',
  summary: '2段階認証を有効にします',
  body: v.object({ code: secondFactorCode }),
  reply: codes,
  errors: ['unauthenticated', 'validation_required', 'conflict'],
})

/** New recovery codes; the former ones are invalid from then on. */
export const renewRecoveryCodes = endpoint({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/auth/second-factor/codes',
  audience: 'member',
  summary: 'リカバリーコードを作り直します',
  reply: codes,
  errors: ['unauthenticated', 'validation_required', 'not_found'],
})

export const removeSecondFactor = endpoint({
  name: 'removeSecondFactor',
  method: 'DELETE',
  path: '/auth/second-factor',
  audience: 'member',
  summary: '2段階認証を無効にします',
  reply: v.object({ removed: v.literal(true) }),
  errors: ['unauthenticated', 'validation_required', 'not_found'],
})

export const secondFactorEndpoints = [
  getSecondFactor,
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  removeSecondFactor,
] as const
