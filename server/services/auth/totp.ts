// One-time codes (TOTP, RFC 6238): SHA-1, six digits, steps of 30 seconds.
import { Secret, TOTP } from 'otpauth'

const ISSUER = 'とどけ'
const STEP_MS = 30_000
/** Steps before and after the present one whose codes are accepted, for clocks that differ. */
const WINDOW = 1

const totpOf = (secret: Uint8Array, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  })

/** The secret in Base32, and its address for a QR code. @param label names the account in the app */
export function keyOf(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const totp = totpOf(secret, label)
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/** The step (30 seconds since 1970) whose code this is, among the present one and its neighbours; undefined for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta
}

/** The code of a moment; for tests. */
export const codeAt = (secret: Uint8Array, now: number): string => totpOf(secret).generate({ timestamp: now })
