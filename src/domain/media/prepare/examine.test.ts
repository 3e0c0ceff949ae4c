// Pictures that this browser does not show are refused before they are stored.
import { resolveObjectURL } from 'node:buffer'
import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterEach, expect, test, vi } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { MAX_FRAMES } from '#contract/limits.ts'
import { pictureProblem } from './examine.ts'
import { avifForm } from './picture.ts'

afterEach(() => void vi.unstubAllGlobals())

const avif = { format: 'avif', mime: 'image/avif', kind: 'image' } as const
const moving = readFileSync('e2e/fixtures/avif/moving.avif')
const blobOf = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

/** A browser that shows the pictures for which `shows` is true, by their size in bytes. */
function browserThat(shows: (size: number) => boolean): void {
  const FakeImage = class extends EventTarget {
    set src(url: string) {
      const isShown = shows(defined(resolveObjectURL(url)).size)
      queueMicrotask(() => this.dispatchEvent(new Event(isShown ? 'load' : 'error')))
    }
  }
  vi.stubGlobal('Image', FakeImage)
}

test('an AVIF that is shown has no problem; in an old browser its format is named', async () => {
  browserThat(() => true)
  expect(await pictureProblem(blobOf(moving), avif, false)).toBeUndefined()
  browserThat(() => false)
  expect(await pictureProblem(blobOf(moving), avif, false)).toBe('no_avif')
})

test('a broken AVIF is named as broken where others are shown', async () => {
  browserThat((size) => size !== moving.length)
  expect(await pictureProblem(blobOf(moving), avif, false)).toBe('broken')
  const jpg = { format: 'jpg', mime: 'image/jpeg', kind: 'image' } as const
  browserThat(() => false)
  expect(await pictureProblem(new Blob(['x']), jpg, false)).toBe('broken')
})

test('an AVIF whose boxes are nested deeper than any has is named as broken', async () => {
  const depth = 100_000
  const nested = Buffer.alloc(depth * 8)
  for (let i = 0; i < depth; i++) {
    nested.writeUInt32BE(nested.length - i * 8, i * 8)
    nested.write('iprp', i * 8 + 4, 'latin1')
  }
  const forged = Buffer.concat([moving.subarray(0, moving.readUInt32BE(0)), nested])
  browserThat((size) => size !== forged.length)
  expect(await pictureProblem(blobOf(forged), avif, false)).toBe('broken')
})

test('a moving AVIF beyond the limits is refused, and a large still one is made smaller', async () => {
  browserThat(() => true)
  const long = Buffer.from(moving)
  for (let at = long.indexOf('stsz'); at >= 0; at = long.indexOf('stsz', at + 4))
    long.writeUInt32BE(MAX_FRAMES + 1, at + 12)
  expect(await pictureProblem(blobOf(long), avif, false)).toBe('too_many_frames')
  const large = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
    .avif()
    .toBuffer()
  large.writeUInt32BE(20_000, large.indexOf('ispe') + 8)
  large.writeUInt32BE(20_000, large.indexOf('ispe') + 12)
  expect(await pictureProblem(blobOf(large), avif, false)).toBeUndefined()
  expect(await pictureProblem(blobOf(large), avif, true)).toBe('too_large')
})

test('an AVIF becomes a JPEG, or a WebP where it moves or has transparency', async () => {
  const made = (channels: 3 | 4) =>
    sharp({ create: { width: 8, height: 8, channels, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } })
  const opaque = await sharp(await made(3).jpeg().toBuffer())
    .avif({ bitdepth: 10 })
    .toBuffer()
  expect(await avifForm(blobOf(opaque))).toEqual({ type: 'image/jpeg', moves: false })
  expect(await avifForm(blobOf(await made(4).avif().toBuffer()))).toEqual({
    type: 'image/webp',
    moves: false,
  })
  expect(await avifForm(blobOf(moving))).toEqual({ type: 'image/webp', moves: true })
})
