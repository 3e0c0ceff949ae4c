// Renders a drawing as a JPEG with paper grain.
import sharp from 'sharp'

let grain: Promise<Buffer> | undefined

/** A tile of paper grain, without which flat colours look unlike a print. */
function paperGrain(): Promise<Buffer> {
  grain ??= sharp({
    create: {
      width: 256,
      height: 256,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 9 },
    },
  })
    .greyscale()
    .png()
    .toBuffer()
  return grain
}

/**
 * Renders a drawing as a JPEG.
 * @param crop size of the JPEG, px; the drawing is cropped evenly to fit
 */
export async function paint(drawing: string, crop = { width: 1280, height: 960 }): Promise<Buffer> {
  const resized = sharp(Buffer.from(drawing)).resize({ ...crop, fit: 'cover' })
  const pixels = await resized.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return sharp(pixels.data, { raw: { width: pixels.info.width, height: pixels.info.height, channels: 3 } })
    .composite([{ input: await paperGrain(), tile: true, blend: 'overlay' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}
