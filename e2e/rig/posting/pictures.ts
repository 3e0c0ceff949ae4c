// Makes pictures of coloured noise: each is different, and none compresses well.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { temporaryFolder } from '#e2e/rig/network/ports.ts'

export interface Picture {
  readonly path: string
  /** SHA-256, hex. */
  readonly sha256: string
}

/** Makes JPEG pictures of 1200 × 900. */
export async function makePictures(count: number): Promise<Picture[]> {
  const folder = temporaryFolder('pictures')
  const made: Picture[] = []
  for (let n = 0; n < count; n++) {
    const path = join(folder, `picture-${n + 1}.jpg`)
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
    await sharp({ create: { width: 1200, height: 900, channels: 3, background: '#888', noise } })
      .tint({ r: 80 * n, g: 120, b: 200 - 60 * n })
      .jpeg()
      .toFile(path)
    made.push({ path, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') })
  }
  return made
}
