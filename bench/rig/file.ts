// Makes the video file that measurements upload.
import { createHash, randomFillSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Writes a playable video of this size: a small one, then a `free` box of noise. @returns its SHA-256, hex */
export function makeFile(path: string, size: number): string {
  const playable = readFileSync(join(import.meta.dirname, '../../e2e/fixtures/h264.mp4'))
  const whole = Buffer.alloc(size)
  playable.copy(whole)
  whole.writeUInt32BE(size - playable.length, playable.length)
  whole.write('free', playable.length + 4, 'latin1')
  randomFillSync(whole, playable.length + 8)
  writeFileSync(path, whole)
  return createHash('sha256').update(whole).digest('hex')
}
