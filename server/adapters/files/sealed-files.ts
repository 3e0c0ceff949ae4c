// Sealed files: encrypted in segments, so that they stream and tampering is detected.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { syncFile } from './data-folder.ts'
import type { Secrets } from '#server/adapters/secrets.ts'

/** Bytes of one segment before it is sealed. */
export const SEGMENT = 256 * 1024
const MAGIC = Buffer.from('TDKSEAL1')
const PREFIX = 7
const TAG = 16
const HEAD = MAGIC.length + PREFIX

/** The bytes are not those that were sealed, or the key or the name is of another file. */
export class SealBroken extends Error {
  constructor(why: string) {
    super(`a sealed file cannot be opened: ${why}`)
    this.name = 'SealBroken'
  }
}

/** A range of the sealed bytes, from `start` to before `end`. */
export interface Part {
  readonly start: number
  readonly end: number
}

const everything: Part = { start: 0, end: Number.POSITIVE_INFINITY }

export interface SealedFiles {
  /**
   * Encrypts a file's bytes under a new key; durable when it resolves.
   * @param to a path without a file; a failure leaves none there
   * @param name authenticated too: under another name the file cannot be opened
   * @returns the key, encrypted by the server's key
   */
  seal(from: string, to: string, name: string): Promise<string>
  /** Checks every segment of a sealed file. @throws SealBroken */
  check(file: string, sealedKey: string, name: string): Promise<void>
  /**
   * Reads a sealed file; each segment is verified by its tag before it is returned.
   * @param part the bytes to read; all by default
   * @throws SealBroken during the stream
   */
  open(file: string, sealedKey: string, name: string, part?: Part): AsyncGenerator<Buffer, void>
}

/** Creates the sealed files of identity checks, whose keys the server's key seals. */
export function createSealedFiles(secrets: Secrets): SealedFiles {
  return {
    async seal(from, to, name) {
      const key = newFileKey()
      await sealFile(from, to, key, name)
      return secrets.seal('identity', key)
    },
    check: (file, sealedKey, name) => checkSealed(file, secrets.open('identity', sealedKey), name),
    open: (file, sealedKey, name, part) => openSealed(file, secrets.open('identity', sealedKey), name, part),
  }
}

export const newFileKey = (): Buffer => randomBytes(32)

/** The nonce of a segment: of the file, the segment's index, and whether it is the last (STREAM construction). */
function nonceOf(prefix: Buffer, index: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  prefix.copy(nonce)
  nonce.writeUInt32BE(index, PREFIX)
  nonce[11] = last ? 1 : 0
  return nonce
}

export async function sealFile(from: string, to: string, key: Buffer, name: string): Promise<void> {
  const source = await open(from, 'r')
  try {
    const target = await open(to, 'wx', 0o600)
    try {
      const prefix = randomBytes(PREFIX)
      await target.appendFile(Buffer.concat([MAGIC, prefix]))
      let next = await readUpTo(source, SEGMENT)
      for (let index = 0, last = false; !last; index++) {
        const bytes = next
        next = bytes.length < SEGMENT ? Buffer.alloc(0) : await readUpTo(source, SEGMENT)
        last = next.length === 0
        const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, index, last)).setAAD(
          Buffer.from(name),
        )
        await target.appendFile(Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]))
      }
    } finally {
      await target.close()
    }
    await syncFile(to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(to, { force: true })
    throw error
  } finally {
    await source.close()
  }
}

export async function* openSealed(
  file: string,
  key: Buffer,
  name: string,
  { start, end }: Part = everything,
): AsyncGenerator<Buffer, void> {
  const handle = await open(file, 'r')
  try {
    const head = await readUpTo(handle, HEAD, 0)
    if (head.length < HEAD || !head.subarray(0, MAGIC.length).equals(MAGIC))
      throw new SealBroken('it is not a sealed file')
    const prefix = head.subarray(MAGIC.length)
    const at = (index: number) => HEAD + index * (SEGMENT + TAG)
    const first = Math.floor(start / SEGMENT)
    let next = await readUpTo(handle, SEGMENT + TAG, at(first))
    for (let index = first, last = false; !last && index * SEGMENT < end; index++) {
      const sealed = next
      next = await readUpTo(handle, SEGMENT + TAG, at(index + 1))
      last = next.length === 0
      if (sealed.length < TAG) throw new SealBroken('it ends too early')
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, index, last))
        .setAAD(Buffer.from(name))
        .setAuthTag(sealed.subarray(-TAG))
      const bytes = opened(decipher, sealed.subarray(0, -TAG), index)
      yield bytes.subarray(Math.max(0, start - index * SEGMENT), Math.max(0, end - index * SEGMENT))
    }
  } finally {
    await handle.close()
  }
}

export async function checkSealed(file: string, key: Buffer, name: string): Promise<void> {
  for await (const segment of openSealed(file, key, name)) segment.fill(0)
}

function opened(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer, index: number): Buffer {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    throw new SealBroken(`segment ${index} is not as it was sealed`)
  }
}

/** @param from position in the file; by default the handle's own position, which advances */
async function readUpTo(
  handle: Awaited<ReturnType<typeof open>>,
  size: number,
  from?: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const position = from === undefined ? null : from + filled
    const { bytesRead } = await handle.read(buffer, filled, size - filled, position)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
