// Web push: encrypts one message (RFC 8291) and sends it to a device's push service (RFC 8030).
import { ECDH } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import webPush from 'web-push'
import { type Line, openLine, PrivateAddress } from './address-guard.ts'
import type { VapidKeys } from './vapid.ts'

/** A device, as its browser subscribed it: the address of its push service, its public key and its secret, base64url. */
export interface PushDevice {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

export interface PushMessage {
  readonly text: string
  /** How long the push service keeps it for a device that is away, seconds. */
  readonly ttl: number
  readonly urgency: 'very-low' | 'low' | 'normal' | 'high'
  /** A waiting message is replaced by a later one of the same topic; at most 32 characters of base64url. */
  readonly topic: string
}

/** What the push service said. */
export type Pushed =
  | { readonly is: 'taken' }
  /** The subscription is over. */
  | { readonly is: 'gone' }
  | { readonly is: 'too_large' }
  /** Not now: another try may help, not before so many seconds where it said so. */
  | { readonly is: 'later'; readonly after: number | undefined }
  /** Never like this: the status, or 0 where its address or its keys are not such. */
  | { readonly is: 'refused'; readonly status: number }

export interface Push {
  /** What devices subscribe to. */
  readonly publicKey: string
  /** Whether a device can be one: its address leads to the open network, its keys are keys. */
  accepts(device: PushDevice): Promise<boolean>
  send(device: PushDevice, message: PushMessage): Promise<Pushed>
  close(): void
}

/** A push service that says nothing for this long is given up, ms. */
const SILENCE = 15_000

export interface PushOptions {
  readonly keys: VapidKeys
  /** Contact of the operator for push services: `mailto:` or https. */
  readonly subject: string
  /** Origin of a test double, for tests and development. */
  readonly trusted?: string | undefined
}

export function openPush({ keys, subject, trusted }: PushOptions): Push {
  const line = openLine(trusted)
  const vapidDetails = { subject, ...keys }
  return {
    publicKey: keys.publicKey,
    accepts: async (device) => areKeys(device) && (await line.reaches(device.endpoint)),
    async send(device, { text, ttl, urgency, topic }) {
      if (!line.mayCall(device.endpoint) || !areKeys(device)) return { is: 'refused', status: 0 }
      const { endpoint, p256dh, auth } = device
      const made = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails,
        TTL: ttl,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      })
      try {
        return meaningOf(await post(line, endpoint, made.headers, made.body))
      } catch (error) {
        // Network errors contain the endpoint, which is a secret: only this one refusal is reported.
        return error instanceof PrivateAddress
          ? { is: 'refused', status: 0 }
          : { is: 'later', after: undefined }
      }
    },
    close: line.close,
  }
}

function areKeys({ p256dh, auth }: PushDevice): boolean {
  try {
    // A point beside the curve is refused here.
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url')
    return Buffer.from(p256dh, 'base64url').length === 65 && Buffer.from(auth, 'base64url').length === 16
  } catch {
    return false
  }
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** Only the status is read: what a stranger's server says beyond it may be endless. */
function post(
  line: Line,
  endpoint: string,
  headers: Record<string, string | number>,
  body: Buffer,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(SILENCE)
    const agent = line.agentFor(endpoint)
    const asked = request(endpoint, { method: 'POST', headers, agent, signal }, (answer: IncomingMessage) => {
      const { statusCode: status = 0, headers: said } = answer
      resolve({ status, retryAfter: said['retry-after'] })
      // A short answer is read to its end, so that the connection can be used again.
      let read = 0
      answer.on('data', (bytes: Buffer) => (read += bytes.length) > 4096 && answer.destroy())
      answer.on('error', () => undefined)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function meaningOf({ status, retryAfter }: Answer): Pushed {
  if (status >= 200 && status < 300) return { is: 'taken' }
  if (status === 404 || status === 410) return { is: 'gone' }
  if (status === 413) return { is: 'too_large' }
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { is: 'later', after: secondsOf(retryAfter) }
  return { is: 'refused', status }
}

/** A push service may not make us wait longer than this, s. */
const LONGEST_WAIT = 24 * 3600

/** Retry-After: seconds, or a date. */
function secondsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const given = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return Number.isNaN(given) ? undefined : Math.min(Math.max(given, 1), LONGEST_WAIT)
}
