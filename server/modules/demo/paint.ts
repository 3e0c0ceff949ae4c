// From a drawing to the picture a camera or a scanner would send.
import sharp from 'sharp'

let grain: Promise<Buffer> | undefined

/** A tile of paper grain: flat colour printed on paper is never quite flat. */
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
 * A JPEG of a drawing.
 * @param crop its size; what does not fit is cut off evenly
 */
export async function paint(drawing: string, crop = { width: 1280, height: 960 }): Promise<Buffer> {
  const cut = sharp(Buffer.from(drawing)).resize({ ...crop, fit: 'cover' })
  const flat = await cut.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return sharp(flat.data, { raw: { width: flat.info.width, height: flat.info.height, channels: 3 } })
    .composite([{ input: await paperGrain(), tile: true, blend: 'overlay' }])
    .jpeg({ quality: 88 })
    .toBuffer()
}
