// Frames of animated PNGs: how they are combined and timed, and their limits.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { measure, overLimit } from '#contract/kinds/measure.ts'
import { MAX_FRAMES, MAX_PIXELS } from '#contract/limits.ts'
import { animatedPng, type DrawnFrame } from '#server/testing/media/animated-png.ts'
import { fixture, jpeg } from '#server/testing/pictures.ts'
import { defined } from '#contract/testing/defined.ts'
import { drawApng } from './apng.ts'

const RED = [255, 0, 0, 255] as const
const BLUE = [0, 0, 255, 255] as const
const HALF_GREEN = [0, 255, 0, 128] as const
const NOTHING = [0, 0, 0, 0] as const
const whole = (colour: DrawnFrame['colour'], more: Partial<DrawnFrame> = {}): DrawnFrame => ({
  width: 4,
  height: 2,
  colour,
  ...more,
})
const corner = (colour: DrawnFrame['colour'], more: Partial<DrawnFrame> = {}): DrawnFrame => ({
  x: 2,
  y: 1,
  width: 2,
  height: 1,
  colour,
  ...more,
})

/** The colours of each frame, top left and bottom right. */
async function corners(png: Buffer) {
  const { data, width, height, delay } = defined(await drawApng(png))
  const at = (frame: number, pixel: number) => {
    const from = (frame * width * height + pixel) * 4
    return [...data.subarray(from, from + 4)]
  }
  return delay.map((_, i) => [at(i, 0), at(i, width * height - 1)])
}

test('a frame is drawn over what is there or replaces it', async () => {
  expect(await corners(animatedPng([whole(RED), corner(HALF_GREEN, { blend: 1 })]))).toEqual([
    [[...RED], [...RED]],
    [[...RED], [127, 128, 0, 255]],
  ])
  expect(await corners(animatedPng([whole(RED), corner(HALF_GREEN)]))).toEqual([
    [[...RED], [...RED]],
    [[...RED], [...HALF_GREEN]],
  ])
})

test('before the next frame a part stays, is cleared, or becomes as it was', async () => {
  const afterwards = async (dispose: 0 | 1 | 2) => {
    const nothing = { ...whole(NOTHING, { blend: 1 }) }
    const frames = await corners(animatedPng([whole(RED), corner(BLUE, { dispose }), nothing]))
    return frames[2]?.[1]
  }
  expect(await Promise.all(([0, 1, 2] as const).map(afterwards))).toEqual([[...BLUE], [...NOTHING], [...RED]])
})

test('frames have their lengths, and are repeated as often as the file says', async () => {
  const png = animatedPng([whole(RED, { delay: 40 }), whole(BLUE, { delay: 250 })], 3)
  expect(await drawApng(png)).toMatchObject({ delay: [40, 250], loop: 3, width: 4, height: 2 })
})

test('a file that is cut off has the frames before the cut, and one of one frame is no moving picture', async () => {
  const png = animatedPng([whole(RED), whole(BLUE), whole(HALF_GREEN)])
  expect((await drawApng(png.subarray(0, png.length - 40)))?.delay).toHaveLength(2)
  expect(await drawApng(animatedPng([whole(RED)]))).toBeUndefined()
})

test('a frame outside the picture ends it; nothing beyond the limits is drawn', async () => {
  const outside = animatedPng([whole(RED), whole(BLUE), corner(BLUE, { x: 3 }), whole(RED)])
  expect((await drawApng(outside))?.delay).toHaveLength(2)
  const long = animatedPng([whole(RED), ...Array.from({ length: MAX_FRAMES }, () => whole(BLUE))])
  await expect(drawApng(long)).rejects.toMatchObject({ failure: 'too_large' })
})

test('a second header changes nothing', async () => {
  const bytes = animatedPng([whole(RED), whole(BLUE)])
  const short = Buffer.from('00000004494844520000000000000000', 'hex')
  const changed = Buffer.concat([bytes.subarray(0, 33), short, bytes.subarray(33)])
  expect(await drawApng(changed)).toEqual(await drawApng(bytes))
})

test('size and frames are measured without decoding', async () => {
  const still = sharp(await jpeg(300, 200))
  const webp = await sharp(fixture('anim.gif'), { animated: true }).webp().toBuffer()
  const gif = await sharp(fixture('anim.gif')).metadata()
  const moving = { width: gif.width, height: gif.height, frames: gif.pages }
  const size = { width: 300, height: 200, frames: 1 }
  for (const [format, bytes, expected] of [
    ['jpg', await still.clone().jpeg({ progressive: true }).toBuffer(), size],
    ['png', await still.clone().png().toBuffer(), size],
    ['gif', await still.clone().gif().toBuffer(), size],
    ['webp', await still.clone().webp().toBuffer(), size],
    ['webp', await still.clone().webp({ lossless: true }).toBuffer(), size],
    ['webp', webp, moving],
    ['gif', fixture('anim.gif'), moving],
    ['png', animatedPng([whole(RED), whole(BLUE)]), { width: 4, height: 2, frames: 2 }],
    ['svg', Buffer.from('<svg/>'), undefined],
  ] as const)
    expect([format, measure(bytes, format)]).toEqual([format, expected])
})

test('the limits are those of all frames together', () => {
  const side = Math.sqrt(MAX_PIXELS)
  expect(overLimit({ width: side, height: side, frames: 1 })).toBeUndefined()
  expect(overLimit({ width: side, height: side + 1, frames: 1 })).toBe('too_large')
  expect(overLimit({ width: 1000, height: 1000, frames: MAX_PIXELS / 1_000_000 })).toBeUndefined()
  expect(overLimit({ width: 1000, height: 1000, frames: MAX_PIXELS / 1_000_000 + 1 })).toBe('too_many_frames')
  expect(overLimit({ width: 1, height: 1, frames: MAX_FRAMES + 1 })).toBe('too_many_frames')
})
