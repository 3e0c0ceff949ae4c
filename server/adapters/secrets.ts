// MACs and encryption by keys derived from the server's master key.
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
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

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

export interface Secrets {
  /** HMAC-SHA-256, base64url. */
  mac(purpose: Purpose, text: string): string
  /** Whether a MAC is valid for this text; takes the same time for every wrong one. */
  isMac(purpose: Purpose, text: string, mac: string): boolean
  /**
   * Encrypts by AES-256-GCM.
   * @param owner authenticated too: for another owner the bytes cannot be decrypted
   * @returns nonce, ciphertext and tag as base64url
   */
  seal(purpose: Purpose, bytes: Uint8Array, owner?: string): string
  /** Decrypts. @throws when the bytes were sealed by another key, for another purpose or owner, or were changed */
  open(purpose: Purpose, sealed: string, owner?: string): Buffer
}

const NONCE = 12
const TAG = 16

/** @param master at least 32 bytes */
export function secretsFrom(master: Uint8Array): Secrets {
  // Key objects, since an HMAC with a key of bytes takes six times as long, and a page signs many addresses.
  const keys = new Map<Purpose, KeyObject>()
  const keyFor = (purpose: Purpose): KeyObject => {
    const known = keys.get(purpose)
    if (known) return known
    const key = createSecretKey(Buffer.from(hkdfSync('sha256', master, 'todoke', purpose, 32)))
    keys.set(purpose, key)
    return key
  }
  const mac = (purpose: Purpose, text: string) =>
    createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')
  return {
    mac,
    isMac(purpose, text, given) {
      const right = Buffer.from(mac(purpose, text))
      const other = Buffer.from(given)
      return right.length === other.length && timingSafeEqual(right, other)
    },
    seal(purpose, bytes, owner = '') {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(owner))
      const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(parts).toString('base64url')
    },
    open(purpose, sealed, owner = '') {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE + TAG) throw new Error('too short to be sealed')
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), bytes.subarray(0, NONCE))
      decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()])
    },
  }
}

/**
 * Creates the secrets of a data folder: from SECRET_KEY if given, else from a file that the first start makes.
 * @param given SECRET_KEY, or empty
 */
export async function createSecrets(folder: string, given: string): Promise<Secrets> {
  if (given !== '') return secretsFrom(Buffer.from(given))
  const file = path.join(folder, 'secret.key')
  const read = async () => secretsFrom(Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url'))
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Written under another name and then linked, so that interrupted or concurrent starts leave one complete key.
  const temporary = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true })
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return read()
}
