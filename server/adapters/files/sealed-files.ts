// Sealed files: encrypted in segments, so that they stream and tampering is detected.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { Secrets } from '#server/adapters/secrets.ts'
import { syncFile } from './durable.ts'
import type { ObjectKey, ObjectPart, ObjectStore } from './object-store.ts'

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

const everything: ObjectPart = { start: 0, end: Number.POSITIVE_INFINITY }

export interface SealedFiles {
  /**
   * Encrypts a file's bytes under a new key; durable when it resolves.
   * @param to a path without a file; a failure leaves none there
   * @param name authenticated too: under another name the file cannot be opened
   * @returns the key, encrypted by the server's key
   */
  seal(from: string, to: string, name: string): Promise<string>
  /** Checks every segment of a sealed object. @throws SealBroken, NoObject */
  check(object: ObjectKey, sealedKey: string, name: string): Promise<void>
  /**
   * Reads a sealed object; each segment is verified by its tag before it is returned.
   * @param part the bytes to read; all by default
   * @throws SealBroken, NoObject during the stream
   */
  open(object: ObjectKey, sealedKey: string, name: string, part?: ObjectPart): AsyncGenerator<Buffer, void>
}

/** Creates the sealed files of identity checks, whose keys the server's key seals. */
export function createSealedFiles(secrets: Secrets, { read }: Pick<ObjectStore, 'read'>): SealedFiles {
  const sourceOf = (object: ObjectKey) => (part: ObjectPart) => read(object, part)
  return {
    async seal(from, to, name) {
      const key = newFileKey()
      await sealFile(from, to, key, name)
      return secrets.seal('identity', key)
    },
    check: (object, sealedKey, name) =>
      checkSealed(sourceOf(object), secrets.open('identity', sealedKey), name),
    open: (object, sealedKey, name, part) =>
      openSealed(sourceOf(object), secrets.open('identity', sealedKey), name, part),
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

/** Reads a part of the sealed bytes. */
export type SealedSource = (part: ObjectPart) => AsyncIterable<Buffer>

export async function* openSealed(
  source: SealedSource,
  key: Buffer,
  name: string,
  { start, end }: ObjectPart = everything,
): AsyncGenerator<Buffer, void> {
  const head = (await inPieces(source({ start: 0, end: HEAD }), HEAD).next()).value ?? Buffer.alloc(0)
  if (head.length < HEAD || !head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealBroken('it is not a sealed file')
  const prefix = head.subarray(MAGIC.length)
  const at = (index: number) => HEAD + index * (SEGMENT + TAG)
  const first = Math.floor(start / SEGMENT)
  // One byte more: a segment is the last one if no byte follows.
  const until = at(Math.ceil(end / SEGMENT)) + 1
  const pieces = inPieces(source({ start: at(first), end: until }), SEGMENT + TAG)
  let next = (await pieces.next()).value ?? Buffer.alloc(0)
  for (let index = first, last = false; !last && index * SEGMENT < end; index++) {
    const sealed = next
    next = (await pieces.next()).value ?? Buffer.alloc(0)
    last = next.length === 0
    if (sealed.length < TAG) throw new SealBroken('it ends too early')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, index, last))
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(-TAG))
    const bytes = opened(decipher, sealed.subarray(0, -TAG), index)
    yield bytes.subarray(Math.max(0, start - index * SEGMENT), Math.max(0, end - index * SEGMENT))
  }
}

/** The same bytes in pieces of one size; the last may be smaller. */
async function* inPieces(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, void> {
  let [parts, length]: [Buffer[], number] = [[], 0]
  for await (const part of bytes) {
    let rest = part
    while (length + rest.length >= size) {
      const wanted = rest.subarray(0, size - length)
      yield Buffer.concat([...parts, wanted])
      rest = rest.subarray(wanted.length)
      ;[parts, length] = [[], 0]
    }
    if (rest.length > 0) parts.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(parts)
}

export async function checkSealed(source: SealedSource, key: Buffer, name: string): Promise<void> {
  for await (const segment of openSealed(source, key, name)) segment.fill(0)
}

function opened(decipher: ReturnType<typeof createDecipheriv>, bytes: Buffer, index: number): Buffer {
  try {
    return Buffer.concat([decipher.update(bytes), decipher.final()])
  } catch {
    throw new SealBroken(`segment ${index} is not as it was sealed`)
  }
}

/** Reads on from the handle's position. */
async function readUpTo(handle: Awaited<ReturnType<typeof open>>, size: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await handle.read(buffer, filled, size - filled, null)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}
