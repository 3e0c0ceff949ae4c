// The identifiers of a payment that the provider passes through, and their comparison.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '#server/adapters/secrets.ts'

/** A random value of one payment, 128 bits as base64url; it has nothing to do with a session of the app. */
export const newPaymentSession = (): string => randomBytes(16).toString('base64url')

interface Confirmed {
  readonly id: string
  readonly kind: string
  readonly amount: number
}

const authText = ({ id, kind, amount }: Confirmed, storeId: string) =>
  `auth ${id} ${kind} ${amount} ${storeId}`

/** The HMAC (`auth_id`) of what the buyer confirmed, for the shop that is paid. */
export function authIdOf(secrets: Secrets, payment: Confirmed, storeId: string): string {
  return secrets.mac('payment', authText(payment, storeId))
}

/** The `auth_id` that a notice of a payment must have: the stored one, which an earlier key may have made. */
export function expectedAuthId(
  secrets: Secrets,
  payment: Confirmed & { readonly authId: string },
  storeId: string,
): string {
  const macs = secrets.macs('payment', authText(payment, storeId))
  return macs.find((it) => isSameSecret(it, payment.authId)) ?? authIdOf(secrets, payment, storeId)
}

/** A keyed hash of a network, by which refused cards are counted. */
export const networkMacOf = (secrets: Secrets, network: string): string =>
  secrets.mac('payment', `network ${network}`)

/** The secret part of the notices' path: as configured, else derived from the server's key. */
export const noticeSecretOf = (secrets: Secrets, configured: string): string =>
  configured === '' ? secrets.mac('payment', 'notice path') : configured

/** The secret parts that are accepted: the provider may still have the path of an earlier key. */
export const acceptedNoticeSecrets = (secrets: Secrets, configured: string): readonly string[] =>
  configured === '' ? secrets.macs('payment', 'notice path') : [configured]

/** The keys by which the hosted sandbox signs: the first one signs, and those of earlier keys are accepted. */
export const webhookSecretsOf = (secrets: Secrets): readonly [string, ...string[]] =>
  secrets.macs('payment', 'webhook')

/** Whether two texts are the same, in a time that depends on neither. */
export function isSameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
