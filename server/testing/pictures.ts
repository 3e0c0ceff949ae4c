// Small files for tests: generated pictures, and the recorded files in `fixtures/`.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'

/** Videos of five seconds in every accepted format, made for these tests. */
export type VideoFixture =
  | 'av1.mp4'
  | 'h263.3gp'
  | 'h264-frag.mp4'
  | 'h264-gps.mov'
  | 'h264-moovend.mp4'
  | 'h264-rot90.mov'
  | 'h264.avi'
  | 'h264.flv'
  | 'h264.m4v'
  | 'h264.mkv'
  | 'h264.mov'
  | 'h264.mp4'
  | 'h264.mpegts'
  | 'hevc-gps.mov'
  | 'hevc.mkv'
  | 'hevc.mov'
  | 'hevc10.mov'
  | 'raw.hevc'
  | 'vp9.webm'
/**
 * Recorded files. `h264-65s.mp4` is long enough for segments, `h264-360p-62s.mp4` also large enough for smaller renditions.
 * `late-sound.mp4` has half a second, but its last packet of sound has the time 524 s, as in a broken stream.
 */
export type FixtureName = VideoFixture | 'h264-65s.mp4' | 'h264-360p-62s.mp4' | 'late-sound.mp4' | 'anim.gif'

export function fixturePath(name: FixtureName): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
}

export function fixture(name: FixtureName): Buffer {
  return readFileSync(fixturePath(name))
}

const red = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#cc3322' } })

export function jpeg(width = 64, height = 48): Promise<Buffer> {
  return red(width, height).jpeg().toBuffer()
}

/** HEIC files as phones and other tools write them. */
export const heicFixtures = [
  'syn-10bit.heic',
  'syn-444.heic',
  'syn-alpha.heic',
  'syn-marker.heic',
  'syn-p3flat.heic',
  'syn-small-ios18-full.heic',
] as const

export function heic(name: (typeof heicFixtures)[number]): Buffer {
  return readFileSync(fileURLToPath(new URL(`../../e2e/fixtures/heic/${name}`, import.meta.url)))
}

/** A photo of a phone: rotated by metadata, with its location. */
export function phonePhoto(width = 2000, height = 1500): Promise<Buffer> {
  return red(width, height)
    .jpeg()
    .withExif({
      IFD0: { Make: 'PhoneMaker', Model: 'Phone 1' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '35/1 39/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '139/1 44/1 0/1',
      },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

export const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"><script>alert(1)</script><rect width="600" height="300" fill="teal"/></svg>',
)
