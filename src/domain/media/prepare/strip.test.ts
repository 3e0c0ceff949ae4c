// Stripping removes metadata and changes no pixel, checked by an independent decoder.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { defined } from '#contract/testing/defined.ts'
import { strip, type Strippable } from './strip.ts'
import { turnedWebp } from './strip-webp.ts'

const formats = ['jpg', 'png', 'webp'] as const
const POSITION = '35/1 41/1 22/1'

async function picture(format: Strippable, orientation = 6): Promise<Uint8Array<ArrayBuffer>> {
  const made = sharp({ create: { width: 8, height: 4, channels: 3, background: '#c83c28' } })
    .withExif({
      IFD0: { Copyright: 'somebody', Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: POSITION },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF/></x:xmpmeta>')
  return new Uint8Array(
    await made
      .withMetadata({ orientation })
      .toFormat(format === 'jpg' ? 'jpeg' : format)
      .toBuffer(),
  )
}

const joined = (parts: Uint8Array[] | undefined) => Buffer.concat(defined(parts))

test.each(formats)(
  'a %s loses position and captions, and has the same pixels, colours and orientation',
  async (format) => {
    const taken = await picture(format)
    const before = await sharp(taken).metadata()
    expect(before.exif).toBeDefined()
    expect(Buffer.from(taken).includes('somebody')).toBe(true)
    const out = joined(strip(taken, format))
    const after = await sharp(out).metadata()
    expect(after).toMatchObject({ width: 8, height: 4, orientation: 6, icc: before.icc })
    expect(after.xmp).toBeUndefined()
    expect(out.includes('somebody')).toBe(false)
    // One entry is left: the orientation.
    expect(after.exif?.length).toBeLessThanOrEqual(32)
    expect(await sharp(out).raw().toBuffer()).toEqual(await sharp(taken).raw().toBuffer())
  },
)

test.each(formats)('an unrotated %s has no Exif left', async (format) => {
  expect((await sharp(joined(strip(await picture(format, 1), format))).metadata()).exif).toBeUndefined()
})

test.each(formats)('the bytes of a %s without metadata do not change', async (format) => {
  const clean = sharp({ create: { width: 8, height: 4, channels: 3, background: '#c83c28' } })
  const bytes = new Uint8Array(await clean.toFormat(format === 'jpg' ? 'jpeg' : format).toBuffer())
  expect(joined(strip(bytes, format))).toEqual(Buffer.from(bytes))
})

test.each(formats)('a truncated %s is refused', async (format) => {
  const bytes = await picture(format)
  expect(strip(bytes.slice(0, 40), format)).toBeUndefined()
  expect(strip(bytes.slice(0, 3), format)).toBeUndefined()
  expect(strip(new Uint8Array(64), format)).toBeUndefined()
})

test('a PNG that is cut off within its pixels is retained as far as it goes, without its metadata', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const made = sharp({ create: { width: 64, height: 64, channels: 3, background: '#888', noise } })
  const whole = await made
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .png()
    .toBuffer()
  const cut = new Uint8Array(whole.subarray(0, whole.length - 2000))
  const out = joined(strip(cut, 'png'))
  expect(out.includes('somebody')).toBe(false)
  expect(out.subarray(out.indexOf('IDAT'))).toEqual(Buffer.from(cut.subarray(whole.indexOf('IDAT'))))
  const { width, height } = await sharp(out, { failOn: 'none' })
    .png()
    .toBuffer({ resolveWithObject: true })
    .then(({ info }) => info)
  expect([width, height]).toEqual([64, 64])
  // Metadata that is cut off is not retained, after the pixels or before them.
  const early = strip(new Uint8Array(whole.subarray(0, whole.indexOf('IDAT') - 6)), 'png')
  expect(early).toBeUndefined()
})

test('a WebP that its Exif turns is stored without it; one that is upright is not turned', async () => {
  const found = turnedWebp(await picture('webp', 6))
  expect(found?.orientation).toBe(6)
  const { width, height, exif, orientation } = await sharp(joined(found?.stored)).metadata()
  expect([width, height, exif, orientation]).toEqual([8, 4, undefined, undefined])
  expect(turnedWebp(await picture('webp', 1))).toBeUndefined()
})

test('bytes after the end of a JPEG, such as a video with its position, are cut off', async () => {
  const bytes = await picture('jpg')
  const out = joined(strip(Uint8Array.from([...bytes, ...Buffer.from('ftypmp42 at home')]), 'jpg'))
  expect(out.includes('at home')).toBe(false)
  expect(out.subarray(-2)).toEqual(Buffer.from([0xff, 0xd9]))
})

test('all scans of a progressive JPEG are retained', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const made = sharp({ create: { width: 64, height: 64, channels: 3, background: '#888', noise } })
  const bytes = new Uint8Array(await made.jpeg({ progressive: true }).toBuffer())
  expect(joined(strip(bytes, 'jpg'))).toEqual(Buffer.from(bytes))
})
