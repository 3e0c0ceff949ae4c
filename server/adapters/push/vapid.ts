// The VAPID key pair (RFC 8292): from the environment, or made at the first start.
import { createECDH, createHmac, randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'
import { KeyFileUnreadable } from '#server/adapters/key-file-unreadable.ts'

/** Both in base64url: a P-256 point of 65 bytes, and its scalar of 32. */
export interface VapidKeys {
  readonly publicKey: string
  readonly privateKey: string
}

const keyFile = v.object({
  publicKey: v.pipe(v.string(), v.regex(/^[\w-]{87}$/)),
  privateKey: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})

/** Whether the public key is the one of the private key. */
export function arePair({ publicKey, privateKey }: VapidKeys): boolean {
  try {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(privateKey, 'base64url')
    return pair.getPublicKey('base64url') === publicKey
  } catch {
    return false
  }
}

/** @returns 16 hexadecimal digits that name the pair */
export const vapidFingerprintOf = ({ publicKey }: VapidKeys): string =>
  createHmac('sha256', publicKey).update('todoke vapid fingerprint').digest('hex').slice(0, 16)

/** A new pair, which is stored nowhere. */
export function newVapid(): VapidKeys {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys('base64url')
  // `getPrivateKey` omits leading zeros.
  const scalar = pair.getPrivateKey()
  const privateKey = Buffer.concat([Buffer.alloc(32 - scalar.length), scalar]).toString('base64url')
  return { publicKey, privateKey }
}

export const VAPID_FILE = 'vapid.json'

const fileIn = (folder: string) => path.join(folder, VAPID_FILE)

/** @returns the keys of a data folder; undefined when it has none @throws KeyFileUnreadable */
export async function readVapid(folder: string): Promise<VapidKeys | undefined> {
  try {
    return v.parse(keyFile, JSON.parse(await readFile(fileIn(folder), 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || v.isValiError(error)) throw unreadable(folder)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

const unreadable = (folder: string) =>
  new KeyFileUnreadable(folder, VAPID_FILE, '通知は、各端末で次にアプリを開くまで届かなくなります。')

/**
 * Loads the keys of a data folder, and makes them when it has none. Devices are subscribed to one public key: with
 * another they have to subscribe again.
 * @throws KeyFileUnreadable
 */
export async function loadVapid(folder: string): Promise<VapidKeys> {
  const found = await readVapid(folder)
  if (found) return found
  // Written under another name and then linked, so that two concurrent starts have the same keys.
  await mkdir(folder, { recursive: true })
  const temporary = `${fileIn(folder)}.${randomBytes(6).toString('hex')}`
  await writeFile(temporary, JSON.stringify(newVapid()), { mode: 0o600, flush: true })
  await link(temporary, fileIn(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(temporary)
  return loadVapid(folder)
}

/** Removes keys that no device is subscribed to. */
export const removeVapid = (folder: string): Promise<void> => rm(fileIn(folder), { force: true })
