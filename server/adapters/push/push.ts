// Encrypts web push messages (RFC 8291) and sends them to a push service (RFC 8030).
import { ECDH } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import webPush from 'web-push'
import { type AddressGuard, openAddressGuard, PrivateAddress } from './address-guard.ts'
import type { VapidKeys } from './vapid.ts'

/** A browser's push subscription: endpoint at its push service, public key and secret, base64url. */
export interface PushDevice {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly text: string
  /** How long the push service stores the message for an offline device, seconds. */
  readonly ttl: number
  readonly urgency: 'very-low' | 'low' | 'normal' | 'high'
  /** A waiting message is replaced by a later one of the same topic; at most 32 characters of base64url. */
  readonly topic: string
}

/** The reply of the push service. */
export type Pushed =
  | { readonly is: 'accepted' }
  /** The subscription has expired or was cancelled. */
  | { readonly is: 'expired' }
  | { readonly is: 'too_large' }
  /** A temporary failure: retry, not before `after` seconds if it is set. */
  | { readonly is: 'later'; readonly after: number | undefined }
  /** A permanent failure: the status, or 0 for an invalid address or invalid keys. */
  | { readonly is: 'refused'; readonly status: number }

export interface Push {
  /** The key to which devices subscribe. */
  readonly publicKey: string
  /** Whether a subscription is valid: its address is public, and its keys are well-formed. */
  accepts(device: PushDevice): Promise<boolean>
  send(device: PushDevice, message: PushMessage): Promise<Pushed>
  close(): void
}

/** Timeout of a request to a push service, ms. */
const TIMEOUT = 15_000

export interface PushOptions {
  readonly keys: VapidKeys
  /** Contact of the operator for push services: `mailto:` or https. */
  readonly subject: string
  /** Origin of a test double, for tests and development. */
  readonly trusted?: string | undefined
}

export function openPush({ keys, subject, trusted }: PushOptions): Push {
  const guard = openAddressGuard(trusted)
  const vapidDetails = { subject, ...keys }
  return {
    publicKey: keys.publicKey,
    accepts: async (device) => areKeys(device) && (await guard.isReachable(device.endpoint)),
    async send(device, { text, ttl, urgency, topic }) {
      if (!guard.mayCall(device.endpoint) || !areKeys(device)) return { is: 'refused', status: 0 }
      const { endpoint, p256dh, auth } = device
      const made = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails,
        TTL: ttl,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      })
      try {
        return meaningOf(await post(guard, endpoint, made.headers, made.body))
      } catch (error) {
        // Network errors contain the endpoint, which is a secret: only this one refusal is reported.
        return error instanceof PrivateAddress
          ? { is: 'refused', status: 0 }
          : { is: 'later', after: undefined }
      }
    },
    close: guard.close,
  }
}

function areKeys({ p256dh, auth }: PushDevice): boolean {
  try {
    // Throws for a point that is not on the curve.
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return Buffer.from(p256dh, 'base64url').length === 65 && Buffer.from(auth, 'base64url').length === 16
  } catch {
    return false
  }
}

interface PushReply {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Sends a request and reads only the status, since the body of a foreign server may be endless. */
function post(
  guard: AddressGuard,
  endpoint: string,
  headers: Record<string, string | number>,
  body: Buffer,
): Promise<PushReply> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(TIMEOUT)
    const agent = guard.agentFor(endpoint)
    const sent = request(endpoint, { method: 'POST', headers, agent, signal }, (reply: IncomingMessage) => {
      const { statusCode: status = 0, headers: replyHeaders } = reply
      resolve({ status, retryAfter: replyHeaders['retry-after'] })
      // A short body is read to its end, so that the connection can be reused.
      let read = 0
      reply.on('data', (bytes: Buffer) => (read += bytes.length) > 4096 && reply.destroy())
      reply.on('error', () => undefined)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function meaningOf({ status, retryAfter }: PushReply): Pushed {
  if (status >= 200 && status < 300) return { is: 'accepted' }
  if (status === 404 || status === 410) return { is: 'expired' }
  if (status === 413) return { is: 'too_large' }
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { is: 'later', after: secondsOf(retryAfter) }
  return { is: 'refused', status }
}

/** Longest delay that a push service may request, seconds. */
const LONGEST_WAIT = 24 * 3600

/** Retry-After: seconds, or a date. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const given = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(given) ? undefined : Math.min(Math.max(given, 1), LONGEST_WAIT)
}
