// A software authenticator that makes passkeys and signs challenges, correctly or incorrectly.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface Authenticator {
  /** Credential id. */
  readonly id: string
  readonly rpId: string
  origin: string
  /** Signature counter; null for an authenticator without one. */
  counter: number | null
  /** Whether it has verified its user. */
  verifies: boolean
  readonly userHandle: string
  readonly keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export function newAuthenticator(userId: string, origin = 'http://localhost:8787'): Authenticator {
  return {
    id: base64url(randomBytes(32)),
    rpId: new URL(origin).hostname,
    origin,
    counter: 0,
    verifies: true,
    userHandle: base64url(userId),
    keys: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  }
}

const clientData = (it: Authenticator, type: string, challenge: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin: it.origin, crossOrigin: false }))

/** Authenticator data (WebAuthn section 6.1): hash of the RP id, flags, counter, and a new key. */
function authenticatorData(it: Authenticator, made?: Uint8Array): Buffer {
  if (it.counter !== null) it.counter++
  const flags = 0x01 | (it.verifies ? 0x04 : 0) | (made ? 0x40 : 0)
  const counter = Buffer.alloc(4)
  if (it.counter !== null) counter.writeUInt32BE(it.counter)
  return Buffer.concat([sha256(it.rpId), Buffer.from([flags]), counter, made ?? Buffer.alloc(0)])
}

/** Credential data of a new key: its id, then the key in COSE. */
function credentialData(it: Authenticator): Uint8Array {
  const { x = '', y = '' } = it.keys.publicKey.export({ format: 'jwk' })
  const key = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  const id = Buffer.from(it.id, 'base64url')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(id.length)
  return Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)])
}

/** The result of `navigator.credentials.create`. */
export function attest(it: Authenticator, challenge: string) {
  const authData = new Uint8Array(authenticatorData(it, credentialData(it)))
  const parts = new Map<string, string | Uint8Array | Map<string, never>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, never>()],
    ['authData', authData],
  ])
  return {
    id: it.id,
    rawId: it.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(clientData(it, 'webauthn.create', challenge)),
      attestationObject: base64url(isoCBOR.encode(parts)),
      transports: ['internal'],
    },
  }
}

/** The result of `navigator.credentials.get`. */
export function assert(it: Authenticator, challenge: string) {
  const data = clientData(it, 'webauthn.get', challenge)
  const authData = authenticatorData(it)
  const signature = createSign('sha256').update(authData).update(sha256(data)).sign(it.keys.privateKey)
  return {
    id: it.id,
    rawId: it.id,
    type: 'public-key',
    response: {
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      userHandle: it.userHandle,
    },
  }
}
