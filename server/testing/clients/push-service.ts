// A push service for tests, over HTTPS. It checks the sender (VAPID), decrypts messages (RFC 8291), and sends
// configured replies.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import tls from 'node:tls'
import { pathToFileURL } from 'node:url'
import { defined } from '#contract/testing/defined.ts'
import { type Push, openPush } from '#server/adapters/push/push.ts'

const fixtures = path.join(import.meta.dirname, '../fixtures/push-service')
/** Certificate for `NODE_EXTRA_CA_CERTS` of a server that must trust this service. */
const certificateFile = path.join(fixtures, 'certificate.pem')
const certificate = readFileSync(certificateFile, 'utf8')

/** One received message, decrypted. */
export interface Arrived {
  readonly device: string
  readonly text: string
  readonly ttl: string | undefined
  readonly urgency: string | undefined
  readonly topic: string | undefined
  /** Length of the encrypted body, bytes. */
  readonly size: number
  readonly vapid: { readonly key: string; readonly sub: unknown }
}

export interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
}

interface Device {
  readonly keys: ECDH
  readonly auth: Buffer
}

const hkdf = (key: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', key, salt, info, length))

/** Decrypts a body of one record (RFC 8291 and RFC 8188). */
function decrypted({ keys, auth }: Device, body: Buffer): string {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body.readUInt8(20))]
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const ikm = hkdf(keys.computeSecret(sender), auth, info, 32)
  const key = hkdf(ikm, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(ikm, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(body.subarray(-16))
  const plain = Buffer.concat([cipher.update(body.subarray(21 + sender.length, -16)), cipher.final()])
  // The text is followed by a 2, for the last record, and zeros.
  return plain.subarray(0, plain.lastIndexOf(2)).toString()
}

/** Checks the VAPID token (RFC 8292): signed by its key, for this origin, valid for at most a day. */
function senderOf(header: string, origin: string): Arrived['vapid'] {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? []
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const signer = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: signer, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
  const left = Number(exp) - Date.now() / 1000
  if (!isSigned || aud !== origin || !(left > 0 && left <= 24 * 3600)) throw new Error('not a VAPID token')
  return { key, sub }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** The decrypted message of a request, or the reply for an unknown device. */
async function readMessage(
  request: IncomingMessage,
  name: string,
  device: Device | undefined,
  origin: string,
): Promise<Arrived | Answer> {
  const body = await bytesOf(request)
  if (!device) return { status: 404 }
  if (body.length > 4096) return { status: 413 }
  const header = (it: string) => request.headers[it] as string | undefined
  if (header('content-encoding') !== 'aes128gcm' || header('ttl') === undefined) return { status: 400 }
  return {
    device: name,
    text: decrypted(device, body),
    ttl: header('ttl'),
    urgency: header('urgency'),
    topic: header('topic'),
    size: body.length,
    vapid: senderOf(`${header('authorization')}`, origin),
  }
}

export async function startPushService() {
  const devices = new Map<string, Device>()
  const received: Arrived[] = []
  const replies: Answer[] = []
  let onMessage: (message: Arrived) => void = () => undefined
  let origin = ''
  const receive = async (request: IncomingMessage): Promise<Answer> => {
    const name = defined(request.url?.slice('/push/'.length))
    const device = devices.get(name)
    const read = await readMessage(request, name, device, origin)
    if ('status' in read) return read
    const answer = replies.shift() ?? { status: 201 }
    if (answer.status === 201) {
      received.push(read)
      onMessage(read)
    }
    return answer
  }
  const key = readFileSync(path.join(fixtures, 'key.pem'), 'utf8')
  const server = createServer({ key, cert: certificate }, (request, reply) => {
    receive(request).then(
      ({ status, headers = {} }) => reply.writeHead(status, headers).end(),
      (error: unknown) => reply.writeHead(403).end(String(error)),
    )
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  origin = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    /** Accepted messages, in order. */
    arrived: received,
    /** Replies to the next messages, which are not accepted. */
    answers: replies,
    onArrival: (listener: typeof onMessage) => void (onMessage = listener),
    /** Subscribes a new device. @returns the subscription as its browser would send it */
    subscribe() {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const [name, auth] = [randomBytes(16).toString('base64url'), randomBytes(16)]
      devices.set(name, { keys, auth })
      const keyTexts = { p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') }
      return { endpoint: `${origin}/push/${name}`, keys: keyTexts }
    },
    /** Removes a subscription. */
    unsubscribe: (endpoint: string) => devices.delete(endpoint.slice(`${origin}/push/`.length)),
    close: () =>
      new Promise<void>((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}
export type PushService = Awaited<ReturnType<typeof startPushService>>

/** A push client with its own keys. Makes the process trust the service's certificate. */
export function pushTo({ origin }: PushService): Push {
  tls.setDefaultCACertificates([...tls.getCACertificates('bundled'), certificate])
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
  const keys = { publicKey, privateKey }
  return openPush({ keys, subject: 'mailto:someone@todoke.example', trusted: origin })
}

// When run as a program, prints its address with subscriptions and then every message, one JSON line each.
if (import.meta.url === pathToFileURL(defined(process.argv[1])).href) {
  const service = await startPushService()
  const print = (it: object) => console.log(JSON.stringify(it))
  service.onArrival((message) => print({ arrived: message }))
  print({ origin: service.origin, certificateFile, devices: Array.from({ length: 4 }, service.subscribe) })
}
