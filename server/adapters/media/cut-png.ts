// Ends a PNG that was cut off within its pixels, so that they are decoded.
import { open, readFile, stat } from 'node:fs/promises'
import { chunkBytes } from './apng.ts'

/** Bytes of the last chunk, IEND. */
const END = 12
/** Largest file, bytes: it is read into memory. */
const MAX_SIZE = 100 * 1024 * 1024

/**
 * The PNG with its last chunk ended where the file ends: libvips loses up to 8 KiB of pixels before a missing byte, which may
 * be all of them. Undefined for a PNG that is complete, or without a pixel.
 */
export async function endedPng(file: string): Promise<Buffer | undefined> {
  if ((await stat(file)).size > MAX_SIZE || (await endsWithIend(file))) return undefined
  const bytes = await readFile(file)
  const iend = chunkBytes('IEND', Buffer.alloc(0))
  let at = 8
  let hasPixels = false
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (type === 'IEND') return undefined
    if (end > bytes.length && type !== 'IDAT') return undefined
    if (end > bytes.length) {
      const last = chunkBytes('IDAT', bytes.subarray(at + 8))
      return Buffer.concat([bytes.subarray(0, at), last, iend])
    }
    hasPixels ||= type === 'IDAT'
    at = end
  }
  return hasPixels ? Buffer.concat([bytes.subarray(0, at), iend]) : undefined
}

async function endsWithIend(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { size } = await handle.stat()
    const { buffer } = await handle.read(Buffer.alloc(END), 0, END, Math.max(0, size - END))
    return buffer.toString('latin1', 4, 8) === 'IEND'
  } finally {
    await handle.close()
  }
}
