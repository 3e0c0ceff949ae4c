// MACs and encryption by keys derived from the server's master keys.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** The purpose of a derived key. */
export type Purpose =
  | 'session'
  | 'registration'
  | 'address'
  | 'mail-code'
  | 'password-reset'
  | 'letter'
  | 'identity'
  | 'media'
  | 'realtime'
  | 'search'
  | 'apart'
  | 'device'
  | 'reset-mail'
  | 'payment'
  | 'bank-account'
  | 'departed-payee'
  | 'seller'
  | 'transfer-file'
  | 'equal-message'
  | 'push-topic'
  | 'reported-message'
  | 'audit'
  | 'decision'
  | 'second-factor'
  | 'authority-export'
  | 'unsubscribe'
  | 'inquiry'
  | 'inquiry-sender'
  | 'inquiry-author'
  | 'retained-key'
  | 'replica'
  | 'receipt'
  | 'statement'
  | 'upload'

/** Purposes whose MACs are stored for years: their derived keys outlive the master key (`services/keys/retained.ts`). */
export const retainedPurposes = [
  'audit',
  'second-factor',
  'unsubscribe',
  'payment',
] as const satisfies Purpose[]
export type RetainedPurpose = (typeof retainedPurposes)[number]

export interface MasterKey {
  /** 16 hexadecimal digits, by which the key is named without telling anything about it. */
  readonly fingerprint: string
}

export interface Secrets {
  /** HMAC-SHA-256 by the present key, base64url. */
  mac(purpose: Purpose, text: string): string
  /** The MACs of a text by every key, the present one's first: for those that are stored and found by their value. */
  macs(purpose: Purpose, text: string): readonly [string, ...string[]]
  /** Whether a MAC of any key is valid for this text; takes the same time for every wrong one. */
  isMac(purpose: Purpose, text: string, mac: string): boolean
  /**
   * Encrypts by AES-256-GCM.
   * @param owner authenticated too: for another owner the bytes cannot be decrypted
   * @returns nonce, ciphertext and tag as base64url
   */
  seal(purpose: Purpose, bytes: Uint8Array, owner?: string): string
  /** Decrypts. @throws when the bytes were sealed by an unknown key, for another purpose or owner, or were changed */
  open(purpose: Purpose, sealed: string, owner?: string): Buffer
  /**
   * Encrypts by the present key what another master key has sealed.
   * @returns undefined for what the present key has sealed
   * @throws as `open` does
   */
  reseal(purpose: Purpose, sealed: string, owner?: string): string | undefined
  /** The master keys: the present one, then those that are only read. */
  readonly keys: readonly [MasterKey, ...MasterKey[]]
  /** The derived key of one of the master keys, for storing it sealed; undefined for an unknown fingerprint. */
  derivedKey(fingerprint: string, purpose: RetainedPurpose): Buffer | undefined
  /** Adds a derived key of an earlier master key; it verifies MACs and makes none. */
  retain(fingerprint: string, purpose: RetainedPurpose, derived: Uint8Array): void
}

const NONCE = 12
const TAG = 16

interface Derived extends MasterKey {
  keyFor(purpose: Purpose): KeyObject
}

const derivedBytes = (master: Uint8Array, info: Purpose | 'fingerprint') =>
  Buffer.from(hkdfSync('sha256', master, 'todoke', info, 32))

/** @returns 16 hexadecimal digits that name a master key */
export const fingerprintOf = (master: Uint8Array): string =>
  derivedBytes(master, 'fingerprint').toString('hex', 0, 8)

function derivedFrom(master: Uint8Array): Derived {
  // Key objects, since an HMAC with a key of bytes takes six times as long, and a page signs many addresses.
  const keys = new Map<Purpose, KeyObject>()
  return {
    fingerprint: fingerprintOf(master),
    keyFor(purpose) {
      const known = keys.get(purpose)
      if (known) return known
      const key = createSecretKey(derivedBytes(master, purpose))
      keys.set(purpose, key)
      return key
    },
  }
}

/** Without its derived keys. */
const named = ({ fingerprint }: Derived): MasterKey => ({ fingerprint })

const macBy = (key: KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

function sealBy(key: KeyObject, bytes: Uint8Array, owner: string): string {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner))
  const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(parts).toString('base64url')
}

function openBy(key: KeyObject, sealed: string, owner: string): Buffer {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE + TAG) throw new Error('too short to be sealed')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG))
  return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()])
}

/**
 * @param master the present master key, at least 32 bytes: it makes every MAC and seals
 * @param others master keys that are only read: earlier ones, and the one that comes next
 */
export function secretsFrom(master: Uint8Array, others: readonly Uint8Array[] = []): Secrets {
  const present = derivedFrom(master)
  const read = others.map(derivedFrom).filter((it) => it.fingerprint !== present.fingerprint)
  const retained = new Map<Purpose, Map<string, KeyObject>>()
  const verifying = (purpose: Purpose): [KeyObject, ...KeyObject[]] => [
    present.keyFor(purpose),
    ...read.map((it) => it.keyFor(purpose)),
    ...(retained.get(purpose)?.values() ?? []),
  ]
  /** @returns the bytes, and whether the present key sealed them */
  const opened = (purpose: Purpose, sealed: string, owner: string) => {
    try {
      return { bytes: openBy(present.keyFor(purpose), sealed, owner), isPresent: true }
    } catch (error) {
      for (const it of read) {
        try {
          return { bytes: openBy(it.keyFor(purpose), sealed, owner), isPresent: false }
        } catch {
          // Sealed by another key.
        }
      }
      throw error
    }
  }
  return {
    mac: (purpose, text) => macBy(present.keyFor(purpose), text),
    macs(purpose, text) {
      const [first, ...earlier] = verifying(purpose)
      return [macBy(first, text), ...earlier.map((key) => macBy(key, text))]
    },
    isMac(purpose, text, given) {
      const other = Buffer.from(given)
      const equal = verifying(purpose).map((key) => {
        const right = Buffer.from(macBy(key, text))
        return right.length === other.length && timingSafeEqual(right, other)
      })
      return equal.includes(true)
    },
    seal: (purpose, bytes, owner = '') => sealBy(present.keyFor(purpose), bytes, owner),
    open: (purpose, sealed, owner = '') => opened(purpose, sealed, owner).bytes,
    reseal(purpose, sealed, owner = '') {
      const { bytes, isPresent } = opened(purpose, sealed, owner)
      return isPresent ? undefined : sealBy(present.keyFor(purpose), bytes, owner)
    },
    keys: [named(present), ...read.map(named)],
    derivedKey: (fingerprint, purpose) =>
      [present, ...read]
        .find((it) => it.fingerprint === fingerprint)
        ?.keyFor(purpose)
        .export(),
    retain(fingerprint, purpose, derived) {
      if ([present, ...read].some((it) => it.fingerprint === fingerprint)) return
      const keys = retained.get(purpose) ?? new Map<string, KeyObject>()
      retained.set(purpose, keys.set(fingerprint, createSecretKey(Buffer.from(derived))))
    },
  }
}
