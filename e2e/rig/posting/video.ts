// Makes a large playable video: a small H.264 file and a box of seeded noise.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface MadeVideo {
  readonly path: string
  readonly size: number
  /** SHA-256, hex. */
  readonly sha256: string
}

const MiB = 1024 * 1024

/** Fills `words` with incompressible noise; the same seed gives the same bytes. @returns the next seed */
function noise(words: Uint32Array, seed: number): number {
  let x = seed
  for (let i = 0; i < words.length; i++) {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    words[i] = x
  }
  return x
}

/**
 * Writes the video.
 * @param path of the file
 * @param size total size, bytes
 * @param seed of the noise, not zero
 */
export function makeVideo(path: string, size: number, seed = 0x2545f491): MadeVideo {
  const playable = readFileSync(join(import.meta.dirname, '../../fixtures/h264.mp4'))
  const hash = createHash('sha256')
  const file = openSync(path, 'w')
  const write = (bytes: Uint8Array): void => {
    hash.update(bytes)
    writeSync(file, bytes)
  }
  write(playable)
  const box = size - playable.length
  const header = Buffer.alloc(8)
  header.writeUInt32BE(box, 0)
  header.write('free', 4, 'latin1')
  write(header)
  const words = new Uint32Array(MiB / 4)
  for (let left = box - 8, x = seed; left > 0; left -= MiB) {
    x = noise(words, x)
    write(new Uint8Array(words.buffer, 0, Math.min(MiB, left)))
  }
  closeSync(file)
  return { path, size, sha256: hash.digest('hex') }
}
