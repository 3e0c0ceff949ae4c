// Draws a picture on a canvas, scaled; the result has no metadata.
import { sentScale } from '#contract/kinds/long-pictures.ts'

const QUALITY = 0.85
/** Side of the small copy whose pixels are read, px. */
const SAMPLE = 64
/** Colour values above this are invisible on white, 0..255. */
const ALMOST_WHITE = 240

/**
 * Draws and encodes a picture.
 * @param longest longest side, px; long pictures have a rule of their own (`sentScale`). Null for the original size
 * @param type MIME type of the result; a browser without an encoder for it writes PNG
 */
export async function drawPicture(
  source: ImageBitmap,
  longest: number | null,
  type: string,
  colorSpace: PredefinedColorSpace = 'srgb',
): Promise<Blob> {
  const scale = sentScale(source, longest)
  const width = Math.max(1, Math.round(source.width * scale))
  const height = Math.max(1, Math.round(source.height * scale))
  const canvas = createCanvas(width, height)
  const context = contextOf(canvas, { colorSpace })
  if (type === 'image/jpeg') {
    // JPEG has no transparency; transparent parts would become black.
    context.fillStyle = isInvisibleOnWhite(source) ? '#000' : '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, 0, 0, width, height)
  return encode(canvas, type)
}

/** A picture with the same values in the colour space Display P3; `source` is closed. */
export async function asDisplayP3(source: ImageBitmap): Promise<ImageBitmap> {
  const { width, height } = source
  const context = contextOf(createCanvas(width, height), { willReadFrequently: true })
  context.drawImage(source, 0, 0)
  source.close()
  const { data } = context.getImageData(0, 0, width, height)
  return createImageBitmap(new ImageData(data, width, height, { colorSpace: 'display-p3' }))
}

/** By Exif's orientation: the matrix that makes a picture of the size 1×1 upright. */
const matrices: readonly (readonly [number, number, number, number, number, number])[] = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
]

/** The picture upright; `source` is closed. @param orientation of Exif, 1 to 8 */
export async function turned(source: ImageBitmap, orientation: number): Promise<ImageBitmap> {
  const [a, b, c, d, x, y] = matrices[orientation - 1] ?? [1, 0, 0, 1, 0, 0]
  const [width, height] = orientation > 4 ? [source.height, source.width] : [source.width, source.height]
  const canvas = createCanvas(width, height)
  const context = contextOf(canvas, {})
  context.setTransform(a, b, c, d, x * width, y * height)
  context.drawImage(source, 0, 0)
  source.close()
  return createImageBitmap(canvas)
}

/** Whether a picture has transparent parts and its other parts are almost white. */
function isInvisibleOnWhite(source: ImageBitmap): boolean {
  const context = contextOf(createCanvas(SAMPLE, SAMPLE), { willReadFrequently: true })
  context.drawImage(source, 0, 0, SAMPLE, SAMPLE)
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE)
  let hasTransparency = false
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 255) / 255
    hasTransparency ||= alpha < 1
    for (let channel = at; channel < at + 3; channel++) {
      if (255 - alpha * (255 - (data[channel] ?? 0)) < ALMOST_WHITE) return false
    }
  }
  return hasTransparency
}

type Canvas = OffscreenCanvas | HTMLCanvasElement

/** A new canvas; Safari before 16.4 has no OffscreenCanvas. */
function createCanvas(width: number, height: number): Canvas {
  if ('OffscreenCanvas' in globalThis) return new OffscreenCanvas(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}

function contextOf(canvas: Canvas, settings: CanvasRenderingContext2DSettings) {
  // TypeScript resolves the overloads of the two types separately.
  const context = 'toBlob' in canvas ? canvas.getContext('2d', settings) : canvas.getContext('2d', settings)
  if (!context) throw new Error('there is no canvas to draw on')
  return context
}

function encode(canvas: Canvas, type: string): Promise<Blob> {
  if (!('toBlob' in canvas)) return canvas.convertToBlob({ type, quality: QUALITY })
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture cannot be written'))),
      type,
      QUALITY,
    )
  })
}
