// The identifiers of a payment that the provider passes through, and their comparison.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#server/adapters/secrets.ts'

/** A random value of one payment, 128 bits as base64url; it has nothing to do with a session of the app. */
export const newPaymentSession = (): string => randomBytes(16).toString('base64url')

/** The HMAC (`auth_id`) of what the buyer confirmed, for the shop that is paid. */
export function authIdOf(
  secrets: Secrets,
  payment: { readonly id: string; readonly kind: string; readonly amount: number },
  storeId: string,
): string {
  return secrets.mac('payment', `auth ${payment.id} ${payment.kind} ${payment.amount} ${storeId}`)
}

/** A keyed hash of a network, by which refused cards are counted. */
export const networkMacOf = (secrets: Secrets, network: string): string =>
  secrets.mac('payment', `network ${network}`)

/** The secret part of the notices' path: as configured, else derived from the server's key. */
export const noticeSecretOf = (secrets: Secrets, configured: string): string =>
  configured === '' ? secrets.mac('payment', 'notice path') : configured

/** Whether two texts are the same, in a time that depends on neither. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
